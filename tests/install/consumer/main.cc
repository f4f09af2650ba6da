// A user's first program: draws from the generator and reads an error, through installed headers only.
#include <halfspace/base/error.h>
#include <halfspace/base/random.h>

#include <iostream>

int main() {
  halfspace::Generator generator(42);
  std::cout << "draw " << generator.next() << '\n';
  std::cout << halfspace::Error(halfspace::ErrorKind::data, "not a number").at("a.csv", 2, 5).what() << '\n';
}
