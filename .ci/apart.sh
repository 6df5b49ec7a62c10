# For .ci/bare and .ci/image: a Debian system separate from this machine's, which leaves nothing behind.
#
# The script runs itself again in its own mount and process namespaces, with a tmpfs in $apart.
# However it ends, the kernel ends its processes and removes the tmpfs and all other mounts.

shopt -s inherit_errexit
apart=/mnt

go_apart() { # script, package ...: installs the packages, then runs the script separately
  if [[ -z ${APART:-} ]]; then
    ((EUID == 0)) || { echo "$1 needs root: it makes a system of its own." >&2; exit 1; }
    apt-get update --quiet --quiet
    DEBIAN_FRONTEND=noninteractive \
      apt-get install --quiet --quiet --yes --no-install-recommends "${@:2}" >/dev/null
    # Each process of this chain ends the next one when it ends: unshare itself ignores Ctrl-C and
    # SIGTERM. In the background of a script, Ctrl-C is ignored from the start.
    APART=yes setpriv --pdeathsig KILL \
      unshare --mount --pid --fork --kill-child --mount-proc \
      env --default-signal=INT bash "$1" &
    wait $!
    exit
  fi
  trap 'echo "Failed at line $LINENO of ${BASH_SOURCE[0]}: $BASH_COMMAND" >&2' ERR
  mount -t tmpfs -o mode=755 apart "$apart"
  git clone --quiet . "$apart/clone"
  echo "Commit $(git log -1 --format='%h %s')"
}

debian() { # suite, folder, package ...: installs a minimal Debian with them, from this machine's mirror
  local suite=$1 folder=$2 mirror proxy included
  shift 2
  included=$(IFS=,; echo "$*")
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian')
  eval "$(apt-config shell proxy Acquire::http::Proxy)"
  mkdir -p "$folder"
  http_proxy=${proxy:-${http_proxy:-}} debootstrap --variant=minbase --include="$included" \
    "$suite" "$folder" "${mirror%%$'\n'*}" >"$apart/debootstrap.log" 2>&1 ||
    { tail -n 20 "$apart/debootstrap.log" >&2; return 1; }
  [[ ! -e /etc/ssl/certs/ca-certificates.crt ]] ||
    cp /etc/ssl/certs/ca-certificates.crt "$folder/etc/ssl/certs/"
}

pip_settings() { # folder: configures pip there like on this machine; prints local folders
  python3 -m venv "$apart/pip"
  "$apart/pip/bin/pip" config list |
    python3 .ci/pip_settings.py "$1/etc/pip.conf" |
    while read -r path; do
      if [[ -d $path ]]; then
        echo "$path"
      else
        install -D --mode=644 "$path" "$1$path"
      fi
    done
}

furnish() { # folder: mounts what a running system needs
  mount -t proc proc "$1/proc"
  mount -t devpts -o newinstance,ptmxmode=666 devpts "$1/dev/pts"
  mount -t tmpfs -o mode=1777 shm "$1/dev/shm"
}

free_port() {
  python3 -c 'import socket; s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1])'
}
