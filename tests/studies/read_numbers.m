% Prints the bits of x from the file of write_numbers.cpp; an error if any other variable differs.
load([getenv("FOLDER") "/written.mat"])
assert(size(minus_x), [2, numel(x)])
assert(isequal(minus_x(1, :)', x) && isequal(minus_x(2, :)', -x))
assert(double(single(singles)), double(single([0.1, 4; -2, 5; 3e-40, 6])))
assert(double(shorts), [-32768, 32767])
assert(double(small), [0, 255])
assert(double(answer), -42)
assert(cellstr(units), {"m"; "kg m^2"; "it's 1"})
bits = cellstr(num2hex(x));
printf("%s\n", bits{:})
