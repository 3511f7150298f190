// The tests are in the folder beside this file, in the form for Apple's compiler.
