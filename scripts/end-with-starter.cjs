'use strict'
// Preloaded by scripts/run.cjs: sends SIGHUP to this process when the process that started it is gone. npm forwards SIGINT
// and SIGTERM to a script, but not SIGHUP, and nothing when it is killed.
const POLL_MS = 250

const starter = Number(process.env.OPENRFQ_STARTER)
delete process.env.OPENRFQ_STARTER

if (starter > 0) {
  const timer = setInterval(() => {
    if (process.ppid === starter) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGHUP')
  }, POLL_MS)
  timer.unref()
}
