// The module `os` declares everything. On Apple's platforms it declares most of it, too.
@_exported import os
