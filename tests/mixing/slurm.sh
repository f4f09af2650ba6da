#!/bin/bash
# deploy/slurm.sbatch under Slurm itself: munged, slurmctld and eight slurmd on this machine, over the loopback alone.
#
# 1. Eight tasks, one a node, make the same model as one worker.
# 2. A task is killed while it runs: the job is requeued, goes on from its checkpoint, and makes the same model.
# 3. A cancelled job stays cancelled. A bad row ends the job without a requeue.
#
# usage: tests/mixing/slurm.sh HALFSPACE_MPI    an Open MPI build; needs slurmctld, slurmd, slurm-client and munge
#
# Run by hand. Everything is in a temporary folder, on free ports: a Slurm of this machine is not touched. It ends what it
# started, and itself after 5 minutes.
set -euo pipefail
[ -n "${SLURM_TEST_BOUNDED:-}" ] || SLURM_TEST_BOUNDED=1 exec timeout --kill-after=30 300 "$0" "$@"

program=$(realpath "$1")
sbatch_script=$(realpath "$(dirname "$0")/../../deploy/slurm.sbatch")
for needed in munged slurmctld slurmd sbatch srun scontrol; do
  command -v $needed >/dev/null || { echo "$needed is missing: apt-get install slurmctld slurmd slurm-client munge"; exit 77; }
done

folder=$(mktemp -d)
started=()
failed() { echo "FAILED: $*"; exit 1; }
ok() { echo "ok: $*"; }
# Waits up to $1 seconds for a command to succeed.
await() {
  local ends=$((SECONDS + $1))
  shift
  until "$@"; do
    [ $SECONDS -lt $ends ] || return 1
    sleep 0.2
  done
}
no_jobs() { [ -z "$(squeue -h 2>/dev/null)" ]; }
clean_up() {
  local code=$?
  trap - EXIT
  set +e
  if [ ${#started[@]} -gt 0 ]; then
    scancel --user="$(id -un)" 2>/dev/null
    await 20 no_jobs
    kill "${started[@]}" 2>/dev/null
    wait "${started[@]}" 2>/dev/null
  fi
  [ $code -eq 0 ] || tail -n 20 "$folder"/*.out "$folder"/log/* 2>/dev/null
  rm -rf "$folder"
  exit $code
}
trap clean_up EXIT
trap 'exit 1' TERM INT

# --- a Slurm of eight nodes -------------------------------------------------------------------------------------------
host=$(hostname -s) user=$(id -un)
# Nine adjacent ports that nobody has.
port=$(python3 - <<'END'
import random, socket
while True:
    first = random.randrange(20000, 50000, 10)
    try:
        held = [socket.create_server(("127.0.0.1", first + i)) for i in range(9)]
        print(first)
        break
    except OSError:
        pass
END
)
chmod 755 "$folder"
mkdir "$folder"/{state,log}
head -c 1024 /dev/urandom >"$folder/key"
chmod 600 "$folder/key"
# TmpFS: PMIx puts its sockets there; nodes that share a folder would collide. cred_expire: a requeued job waits so long.
cat >"$folder/slurm.conf" <<END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$user
SlurmdUser=$user
SlurmctldPort=$port
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$folder/munge.socket,cred_expire=5
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool.%n
TmpFS=$folder/tmp.%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.%n.pid
SlurmctldLogFile=$folder/log/slurmctld
SlurmdLogFile=$folder/log/slurmd.%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=2,bf_interval=2
KillWait=3
NodeName=n[1-8] NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1))-$((port + 8)) CPUs=2
PartitionName=all Nodes=n[1-8] Default=YES MaxTime=5 State=UP
END
export SLURM_CONF=$folder/slurm.conf
munged --foreground --force --key-file="$folder/key" --socket="$folder/munge.socket" --pid-file="$folder/munged.pid" \
  --log-file="$folder/log/munged" --seed-file="$folder/munge.seed" >"$folder/munged.out" 2>&1 &
started+=($!)
await 10 test -S "$folder/munge.socket" || failed "munged does not start"
slurmctld -D -c >"$folder/slurmctld.out" 2>&1 &
started+=($!)
for i in 1 2 3 4 5 6 7 8; do
  mkdir "$folder"/{spool,tmp}.n$i
  slurmd -D -N n$i >"$folder/slurmd.n$i.out" 2>&1 &
  started+=($!)
done
nodes_idle() { [ "$(sinfo -h -o %D -t idle 2>/dev/null)" = 8 ]; }
await 30 nodes_idle || failed "the nodes do not come up"
srun --mpi=list 2>&1 | grep -q pmix || failed "this Slurm has no PMIx"
ok "eight nodes of Slurm $(sinfo --version | cut -d' ' -f2)"

# --- jobs -------------------------------------------------------------------------------------------------------------
python3 - "$folder/rows.svm" <<'END'
import random, sys
rng = random.Random(3)
with open(sys.argv[1], "w") as file:
    for _ in range(20_000):
        x = [rng.randint(-4, 4) for _ in range(20)]
        y = 1 if (sum(x[::2]) > sum(x[1::2])) != (rng.random() < 0.1) else -1
        file.write(f"{y:+d} " + " ".join(f"{j + 1}:{v}" for j, v in enumerate(x) if v) + "\n")
END
export PATH=$(dirname "$program"):$PATH EPOCHS=400
export OMPI_MCA_btl_tcp_if_include=lo OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
cd "$folder"
digest() { sha256sum <"$1" | cut -c1-64; }
field() { scontrol show job "$1" | grep -o -E "\b$2=[A-Z0-9]+" | head -1 | cut -d= -f2; }
has_ended() { ! field "$1" JobState | grep -q -E '^(PENDING|RUNNING|COMPLETING)'; }
submit() { RUN=$1 sbatch --parsable --output="$folder/$1.out" "$sbatch_script" "${@:2}"; }
# The process of the job's task on node n4.
worker_of() { scontrol listpids "$1.0" n4 2>/dev/null | awk 'NR > 1 { print $1; exit }'; }

"$program" train rows.svm --epochs $EPOCHS -o one.model --json >one.json
one=$(digest one.model)

job=$(submit eight rows.svm)
await 100 has_ended "$job" || failed "the job does not end"
[ "$(field "$job" JobState)" = COMPLETED ] || failed "the job ends as $(field "$job" JobState)"
grep -q -E '^  workers +8 ' eight.out || failed "not eight workers"
[ "$(digest eight.model)" = "$one" ] || failed "eight tasks make another model than one worker"
ok "eight tasks and one worker make the same model: $one"

job=$(submit killed rows.svm)
await 60 test -s killed.mix || failed "no checkpoint"
kill -9 "$(worker_of "$job")" || failed "no worker to kill"
[ ! -e killed.model ] || failed "the job ended too early"
was_requeued() { [ "$(field "$job" Restarts)" = 1 ]; }
await 60 was_requeued || failed "the job is not requeued"
resumes() { grep -q -a -z '^--resume$' "/proc/$(worker_of "$job")/cmdline" 2>/dev/null; }
await 60 resumes || failed "the job does not resume"
await 100 has_ended "$job" || failed "the requeued job does not end"
[ "$(field "$job" JobState)" = COMPLETED ] || failed "the requeued job ends as $(field "$job" JobState)"
[ "$(digest killed.model)" = "$one" ] || failed "the requeued job makes another model"
ok "a job that lost a worker is requeued, resumes, and makes the same model"

job=$(EPOCHS=100000 submit cancelled rows.svm)
await 60 test -s cancelled.mix || failed "no checkpoint"
scancel "$job"
await 60 has_ended "$job" || failed "the cancelled job does not end"
[ "$(field "$job" JobState) $(field "$job" Restarts)" = "CANCELLED 0" ] || failed "the cancelled job goes on"
ok "a cancelled job stays cancelled"

sed '12345s/:/:oops/' rows.svm >bad.svm
job=$(submit bad bad.svm)
await 60 has_ended "$job" || failed "the job with a bad row does not end"
[ "$(field "$job" JobState) $(field "$job" Restarts)" = "FAILED 0" ] || failed "a bad row is tried again"
grep -q 'bad.svm:12345:' bad.out || failed "the bad row is not located"
ok "a bad row ends the job, and is located"
