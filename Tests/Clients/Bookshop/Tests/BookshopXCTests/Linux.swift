// The tests are in the folder beside this file, as Apple's compiler takes them.
