// It loads, listens to nobody and says nothing.
export {}
