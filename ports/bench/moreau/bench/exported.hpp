// Exported functions of a shared library, on ELF systems and on Windows.
//
//   MOREAU_EXPORTED void f();          exported
//   MOREAU_PLAIN void f();             exported under its plain name; on ELF weak, so that several FMUs link statically
//   MOREAU_SECOND_NAME(name, f)        a second name of the function f
//
// On Windows the plain names are strong: at most one FMU of a program is linked statically.
#pragma once

#if defined(_WIN32)
#define MOREAU_EXPORTED extern "C" __declspec(dllexport)
#define MOREAU_PLAIN MOREAU_EXPORTED
#else
#define MOREAU_EXPORTED extern "C" __attribute__((visibility("default")))
#define MOREAU_PLAIN MOREAU_EXPORTED __attribute__((weak))
#endif

#if defined(__GNUC__) || !defined(_WIN32)
#define MOREAU_SECOND_NAME(name, function) MOREAU_EXPORTED decltype(function) name __attribute__((alias(#function)));
#else  // compilers for Windows without aliases: a name for the linker
#define MOREAU_LINK_(text) __pragma(comment(linker, text))
#define MOREAU_SECOND_NAME(name, function) MOREAU_LINK_("/alternatename:" #name "=" #function)
#endif
