#!/usr/bin/env bash
# slurm_test.sh <program of swing.cpp>: the job script of a study on a private Slurm with two nodes. One study is
# computed three times: in one process; with a node that dies together with its task; and with a node whose daemon alone
# dies, so that its task and the requeued twin write the same blocks. The hash must be the same each time.
#
# A gate (swing.cpp) holds the task of node two between two blocks until the node or its daemon is dead. Hence the
# number of blocks that each process computes is exact, and no check depends on time. `limit` only ends a test that
# hangs.
#
# All files are in one temporary folder, all sockets on loopback: munged, slurmctld, and one slurmd per node in a PID
# namespace of its own, so that a node that is killed takes its tasks along. Needs root. Exit code 77: a tool or a
# privilege is missing.
set -u
study=$(readlink -f "$1")
parts=4
limit=300 # s, of each wait

skip() { echo "skipped: $*"; exit 77; }
for tool in munged slurmctld slurmd sbatch unshare; do
  PATH=$PATH:/usr/sbin command -v $tool >/dev/null || skip "$tool is not installed (packages slurmctld, slurmd, slurm-client, munge)"
done
[ "$(id -u)" -eq 0 ] || skip "slurmd needs root to start tasks"
unshare --pid --fork --mount-proc true 2>/dev/null || skip "PID namespaces are not available"
export PATH=$PATH:/usr/sbin

here=$(mktemp -d /tmp/moreau-slurm.XXXXXX) # short: the path of munged's socket has at most 107 characters
chmod 755 "$here"
cd "$here" || exit 1
declare -A pid=()
removed() { rm -rf "$here" && ! pgrep --full -- "$here" >/dev/null; }
end() { # end <exit code>
  trap - EXIT
  local code=$1 until=$((SECONDS + limit))
  {
    for one in "${!pid[@]}"; do kill -KILL "${pid[$one]}"; done
    wait
    # The last process of a namespace ends some time after the namespace is killed.
    until removed || [ $SECONDS -ge $until ]; do sleep 0.1; done
  } 2>/dev/null
  if pgrep --full --list-full -- "$here"; then
    echo "FAILED: these processes are still running"
    code=1
  fi
  exit "$code"
}
fail() {
  echo "FAILED: $*"
  tail -n 15 "$here"/*.log "$here"/*.out 2>/dev/null
  end 1
}
trap 'fail "the script ended early"' EXIT
trap 'end 130' INT TERM

wait_until() { # wait_until <condition, in words> <command>...
  local until=$((SECONDS + limit)) condition=$1
  shift
  until "$@"; do
    [ $SECONDS -lt $until ] || fail "no success within $limit s: $condition"
    sleep 0.1
  done
}

# ---- the cluster -----------------------------------------------------------------------------------------------
# slurmctld has the first of three free ports, the nodes have the others; all lie below those that outgoing connections
# get.
in_use() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
port=$((20000 + $$ % 4000 * 3))
while in_use $port || in_use $((port + 1)) || in_use $((port + 2)); do port=$((port + 3)); done
version=$(slurmd -V | sed -E 's/^slurm(-wlm)? //')
# From version 23.02 on, slurmd uses control groups unless this line disables them; older versions reject the line.
[ "${version%%.*}" -lt 23 ] || printf 'CgroupPlugin=disabled\n' >cgroup.conf
head -c 1024 /dev/urandom >key && chmod 400 key
mkdir state spool.one spool.two
# MessageTimeout, TCPTimeout and BatchStartTimeout are 10, 2 and 10 s by default, too short for a loaded machine.
cat >slurm.conf <<CONF
ClusterName=private
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=$port
AuthType=auth/munge
AuthInfo=socket=$here/munge.socket
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$here/state
SlurmdSpoolDir=$here/spool.%n
SlurmctldPidFile=$here/slurmctld.pid
SlurmdPidFile=$here/%n.pid
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
MessageTimeout=100
TCPTimeout=60
BatchStartTimeout=$limit
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,sched_min_interval=100000,batch_sched_delay=0
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
NodeName=one NodeHostname=localhost NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=$parts
NodeName=two NodeHostname=localhost NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=1
PartitionName=all Nodes=one,two Default=YES State=UP
CONF
export SLURM_CONF=$here/slurm.conf

# The first process of a node's namespace is not the daemon, so the daemon can die without its tasks.
start_node() {
  unshare --pid --fork --kill-child --mount-proc bash -c 'slurmd -D -N "$0" & while :; do sleep 1000 & wait $!; done' "$1" \
    >>"$1.log" 2>&1 &
  pid[$1]=$!
}
first_of() { pgrep --parent "${pid[$1]}"; } # the first process of a node's namespace
daemon_of() { pgrep --parent "$(first_of "$1")" --exact slurmd; }
idle() { [ "$(sinfo --noheader --states idle --format %D 2>/dev/null)" = "$1" ]; }

munged --force --foreground --key-file=key --socket="$here/munge.socket" --pid-file="$here/munged.pid" \
  --log-file="$here/munged.log" --seed-file="$here/seed" --num-threads=2 >munged.log 2>&1 &
pid[munged]=$!
wait_until "munged has opened its socket" test -S munge.socket
slurmctld -D >slurmctld.log 2>&1 &
pid[slurmctld]=$!
start_node one
start_node two
wait_until "two nodes are idle" idle 2
echo "Slurm $version: two nodes after $SECONDS s"

# ---- the study -------------------------------------------------------------------------------------------------
size=(--samples 400 --block 50) # 2400 runs in 48 blocks, 12 per part
per_part=12
before_gate=5 # blocks
export STUDY_GATE_AFTER=$((50 * before_gate))
hash_of() { "$study" status --folder "$1" "${size[@]}" | sed -n 's/^complete, hash //p'; }

"$study" run --folder alone "${size[@]}" --threads 2 >alone.out 2>&1 || fail "the study in one process"
expected=$(hash_of alone)
[ -n "$expected" ] || fail "the study in one process is not complete"
echo "one process: $expected"

submit() { # submit <folder>: sets task and held, the task that waits at the gate of node two and its process
  touch "$1.gate.two"
  "$study" sbatch --folder "$here/$1" "${size[@]}" --parts $parts --threads 1 >"$1.sh" || fail "no job script"
  STUDY_GATE=$here/$1.gate sbatch "$1.sh" >"$1.out" || fail "sbatch rejected the script"
  wait_until "the task on node two is at the gate" test -e "$1.gate.two.reached"
  task=$(tasks_on two)
  held=$(study_on two)
  if [ -z "$task" ] || [ -z "$held" ]; then fail "node two runs task '$task' as process '$held'"; fi
}
tasks_on() { squeue --noheader --array --states running --nodelist "$1" --format %i; }
# The process of the study on a node, numbered as outside of its namespace.
study_on() {
  local space
  space=$(readlink "/proc/$(first_of "$1")/ns/pid")
  for process in $(pgrep --full -- "--folder $here/"); do
    [ "$(readlink "/proc/$process/ns/pid")" = "$space" ] && [ "/proc/$process/exe" -ef "$study" ] && echo "$process"
  done
}
is_gone() { [ ! -e "/proc/$1/exe" ]; } # also true of a zombie
# Slurm reports a dead node after some time, and a requeued task waits two minutes. Here an operator shortens both.
declare_dead() { # declare_dead <node>
  scontrol update nodename="$1" state=down reason="its daemon is dead" || fail "node $1 cannot be set down"
}
queue_is_empty() {
  local waiting
  for waiting in $(squeue --noheader --array --states pending --format %i 2>/dev/null); do
    scontrol update jobid="$waiting" starttime=now 2>/dev/null
  done
  waiting=$(squeue --noheader 2>/dev/null) && [ -z "$waiting" ]
}
# The lines that the attempts of a task print at their end, in order.
attempts() { sed -n "s/.*: \([0-9]* blocks stored before, .*\)/\1/p" "swing-${task%_*}_${task#*_}.log"; }
must_have() { # must_have <folder> <blocks computed twice> <scenario>: all blocks are there
  local got doubled
  got=$(hash_of "$1")
  [ "$got" = "$expected" ] || fail "$3: hash '$got', not $expected"
  doubled=$("$study" status --folder "$1" "${size[@]}" | sed -n 's/.*doubled \([0-9]*\),.*/\1/p')
  [ "$doubled" = "$2" ] || fail "$3: $doubled blocks computed twice, not $2"
}
twin="$before_gate blocks stored before, $((per_part - before_gate)) computed, 0 left"

# ---- a node dies with its task -----------------------------------------------------------------------------------
submit killed
{ kill -KILL "${pid[two]}" && wait "${pid[two]}"; } 2>/dev/null
wait_until "process $held of the killed node two is gone" is_gone "$held"
declare_dead two
wait_until "the queue is empty after node two was killed" queue_is_empty
[ "$(attempts)" = "$twin" ] || fail "the attempts of task $task: $(attempts)"
must_have killed 0 "after a killed node"
echo "a node killed with task $task: $expected, $twin"

# ---- split brain -------------------------------------------------------------------------------------------------
start_node two
wait_until "node two takes orders again" scontrol update nodename=two state=resume
wait_until "two nodes are idle again" idle 2
submit split
daemon=$(daemon_of two)
kill -KILL "$daemon" || fail "node two has no daemon to kill"
wait_until "daemon $daemon of node two is gone" is_gone "$daemon"
declare_dead two
wait_until "the queue is empty after the daemon of node two was killed" queue_is_empty
is_gone "$held" && fail "the task died with its daemon"
rm split.gate.two
wait_until "process $held, which outlived its daemon, is done" is_gone "$held"
survivor="0 blocks stored before, $per_part computed, 0 left"
[ "$(attempts)" = "$twin"$'\n'"$survivor" ] || fail "the attempts of task $task: $(attempts)"
must_have split $((per_part - before_gate)) "after a split brain"
echo "a task and its twin: $expected, $((per_part - before_gate)) blocks twice, no conflict"
echo "in $SECONDS s"
end 0
