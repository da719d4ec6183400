import { useEffect, useState } from 'react'

const TICK_MS = 1_000

/** The time of a clock in milliseconds, by default the device's, every second while `isRunning`. */
export const useClock = (isRunning: boolean, clock: () => number = Date.now): number => {
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
