// Everything is declared by the module `os`, as most of it is on Apple's platforms.
@_exported import os
