// The other sources in this folder are written for Apple's compiler. Only this file is compiled without rewriting.
