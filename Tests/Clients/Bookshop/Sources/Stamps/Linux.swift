// The other sources in this folder are written for Apple's compiler. This file alone is compiled as it is.
