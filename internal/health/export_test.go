package health

// Routes is the reader of the kernel's tables.
var Routes = routes
