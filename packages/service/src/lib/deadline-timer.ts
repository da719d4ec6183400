/**
 * Calls `onPast` after `ms` milliseconds and one more turn of the event loop: a process that was busy first reads the
 * answers that wait in its sockets. Returns a function that cancels the timer.
 */
export const startDeadline = (ms: number, onPast: () => void): (() => void) => {
  let turn: NodeJS.Immediate | undefined
  const timer = setTimeout(() => {
    turn = setImmediate(onPast)
  }, ms)
  return () => {
    clearTimeout(timer)
    clearImmediate(turn)
  }
}
