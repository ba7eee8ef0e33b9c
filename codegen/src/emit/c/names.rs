//! Names of Rust as names of C: what C, C++ and their libraries have taken
//! gets an underscore at its end.

/// Words that no name in a C header may be, for C++ reads headers too.
const KEYWORDS: &str = "
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t
    class compl complex const const_cast constexpr continue decltype default delete do double
    dynamic_cast else enum errno explicit export extern false far float for friend goto if
    imaginary inline int interrupt long main mutable namespace near new noexcept not not_eq nullptr
    operator or or_eq pascal private protected public register reinterpret_cast restrict return
    short signed sizeof static static_assert static_cast struct switch template this thread_local
    throw true try typedef typeid typename typeof union unix linux unsigned using virtual void
    volatile wchar_t while xor xor_eq
    NULL INFINITY NAN HUGE_VAL EOF I assert isnan isinf isfinite isnormal signbit fpclassify offsetof
    size_t ptrdiff_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t
    uintptr_t memcpy memmove sqrt sin cos exp expm1 log log1p sqrtf sinf cosf expf expm1f logf
    log1pf bits_of real_of_bits compile_without_single_precision_constant";

/// Functions of the C library and of POSIX beside it, which functions of a
/// file must not redefine.
const LIBRARY: &str = "
    abort abs access acos acosh alarm alloca asin asinh atan atan2 atanh atexit atof atoi atol
    atoll basename bcmp bcopy brk bsearch bzero cabs calloc cbrt ceil chdir close connect copysign
    cosh creat ctime cuserid difftime div drem dup erf erfc exit exp10 exp2 fabs fclose fdim
    feof ferror ffs finite floor fma fmax fmin fmod fopen fork fprintf fputs fread free frexp fscanf
    fseek ftell ftime fwrite gamma getc getenv gets hypot ilogb index imaxabs imaxdiv isalnum
    isalpha isdigit isgreater isless islower isspace isunordered isupper j0 j1 jn kill labs ldexp
    ldiv lgamma link listen llabs lldiv llrint llround log10 log2 logb lrint lround lseek
    malloc memchr memcmp memset mktime modf nan nanosleep nearbyint nextafter nexttoward
    nice open pause pipe pow pow10 printf putc puts qsort raise rand random read realloc remainder
    remove remquo rename rewind rindex rint round scalb scalbln scalbn scanf select send setbuf
    setjmp longjmp signal significand sincos sinh sleep socket sprintf srand srandom sscanf stat
    stpcpy strcat strchr strcmp strcpy strdup strerror strlen strncat strncmp strncpy strstr strtod
    strtol sync system tan tanh tempnam tgamma time times tmpfile tmpnam tolower toupper trunc
    truncate umask ungetc unlink vprintf wait write y0 y1 yn";

fn lists(list: &str, name: &str) -> bool {
    list.split_whitespace().any(|word| word == name)
}

/// Whether a field, a parameter or a local may not have this name.
pub(super) fn is_keyword(name: &str) -> bool {
    lists(KEYWORDS, name)
}

/// Whether a function, a type or a constant of a file may not have this name.
/// Library functions have siblings for `float` and `long double`.
pub(super) fn is_taken(name: &str) -> bool {
    let sibling = name.strip_suffix(['f', 'l']).is_some_and(|stem| lists(LIBRARY, stem));
    let macros = !name.ends_with('_') && MACROS.iter().any(|start| name.starts_with(start));
    is_keyword(name) || lists(LIBRARY, name) || sibling || macros
}

/// How macros of the headers that may be included begin.
const MACROS: [&str; 12] = [
    "DBL_",
    "DECIMAL_DIG",
    "FLT_",
    "FP_",
    "HUGE_VAL",
    "INT",
    "LDBL_",
    "MATH_",
    "M_",
    "PTRDIFF_",
    "SIZE_",
    "UINT",
];

/// Whether a public name, which bears its file's prefix, may not be: macros that
/// begin alike are no danger to it.
pub(super) fn is_taken_publicly(name: &str) -> bool {
    is_keyword(name) || lists(LIBRARY, name) || lists(DEFINED, name)
}

/// Macros of the headers that a public name might be.
const DEFINED: &str = "
    M_E M_LOG2E M_LOG10E M_LN2 M_LN10 M_PI M_PI_2 M_PI_4 M_1_PI M_2_PI M_2_SQRTPI M_SQRT2 M_SQRT1_2
    MATH_ERRNO MATH_ERREXCEPT SIZE_MAX PTRDIFF_MAX PTRDIFF_MIN INTMAX_MAX UINTMAX_MAX INTPTR_MAX";

/// A name with as many underscores as make it free.
pub(super) fn freed(name: &str, taken: impl Fn(&str) -> bool) -> String {
    let mut free = name.strip_prefix("r#").unwrap_or(name).to_owned();
    while taken(&free) {
        free.push('_');
    }
    free
}

/// `ContactMode` as `contact_mode`.
pub(crate) fn snake_case(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let mut snake = String::new();
    for (i, &letter) in letters.iter().enumerate() {
        let after_small = i > 0 && !letters[i - 1].is_uppercase() && letters[i - 1] != '_';
        let before_small = letters.get(i + 1).is_some_and(|next| next.is_lowercase());
        let ends_capitals = i > 0 && letters[i - 1].is_uppercase() && before_small;
        if letter.is_uppercase() && (after_small || ends_capitals) {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}
