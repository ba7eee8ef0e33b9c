# Debian's packages for scripts that need more than Rust: only what is missing is
# installed, and nothing is removed for it. To be sourced, with `script` the name that
# messages begin with and `build` a folder for its files.

# Where CI runs, what cannot be had is an error.
skip() {
    [[ ${CI:-} != true ]] || { echo "$script: cannot be skipped in CI: $*" >&2 && exit 1; }
    echo "$script: skipped: $*"
    exit 0
}

give_up() {
    [[ ! -f $build/install.log ]] || tail -5 "$build/install.log" >&2
    skip "$*"
}

missing() {
    local package
    for package in "$@"; do
        dpkg-query --show --showformat='${Status}\n' "$package" 2>/dev/null |
            grep 'ok installed' >/dev/null || echo "$package"
    done
}

# need PACKAGE...
need() {
    command -v apt-get >/dev/null || skip "there is no apt-get to install $* with"
    local as_root=(env DEBIAN_FRONTEND=noninteractive) packages
    [[ $(id -u) -eq 0 ]] || as_root=(sudo -n "${as_root[@]}")
    mapfile -t packages < <(missing "$@")
    [[ ${#packages[@]} -gt 0 ]] || return 0
    "${as_root[@]}" true 2>/dev/null || skip "not root, and these packages are missing: ${packages[*]}"
    echo "$script: installing ${packages[*]}" >&2
    "${as_root[@]}" apt-get update -qq >"$build/install.log" 2>&1 &&
        "${as_root[@]}" apt-get install -y --no-install-recommends --no-remove "${packages[@]}" \
            >>"$build/install.log" 2>&1 || give_up "apt-get could not install ${packages[*]}"
    hash -r
}

# Debian's second Rust, which can build its own library for other machines: sets
# `other_rustc` and `other_cargo`. It must not hide the ordinary one.
need_other_rust() {
    local ordinary
    ordinary=$(command -v rustc cargo) || skip "there is no rustc and cargo for the host"
    need rustc-web rust-web-src cargo-web
    if [[ $(command -v rustc cargo) != "$ordinary" ]]; then
        echo "$script: Debian's packages hide the ordinary rustc and cargo; put those first in PATH" >&2
        exit 1
    fi
    other_rustc=$(dpkg -L rustc-web | grep -x '/usr/bin/rustc')
    other_cargo=$(dpkg -L cargo-web | grep -x '/usr/bin/cargo')
}
