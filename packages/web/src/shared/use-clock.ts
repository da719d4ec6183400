import { useEffect, useState } from 'react'

const TICK_MS = 1_000

/** The time of a clock in milliseconds, every second while `isRunning`. */
export const useClock = (isRunning: boolean, clock: () => number): number => {
  const [now, setNow] = useState(clock)
  useEffect(() => {
    if (!isRunning) return
    const tick = (): void => setNow(clock())
    tick()
    const timer = setInterval(tick, TICK_MS)
    return () => clearInterval(timer)
  }, [isRunning, clock])
  return now
}
