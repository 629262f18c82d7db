/* Configuration of Unity: double compared in double, NaN unequal to everything, output to the console of the port. */
#ifndef MOREAU_UNITY_CONFIG_H
#define MOREAU_UNITY_CONFIG_H

#define UNITY_INCLUDE_DOUBLE
#define UNITY_NAN_NOT_EQUAL_NAN
#define UNITY_OUTPUT_CHAR(c) moreau_test_put(c)
#define UNITY_OUTPUT_CHAR_HEADER_DECLARATION moreau_test_put(int)

#endif
