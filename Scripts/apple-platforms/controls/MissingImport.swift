// cannot find 'autoreleasepool' in scope
func drain(_ body: () -> Void) { autoreleasepool { body() } }
