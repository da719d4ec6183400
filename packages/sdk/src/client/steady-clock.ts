/** What two clocks of a device may differ by without one of them having been set, or the machine having slept. */
const STEP_MS = 1_000

/**
 * Creates a clock of the device that never goes back, in milliseconds since 1970: it goes on during sleep of the machine, when
 * `performance.now` stands still in most browsers, and when the time of day is set back. A time of day that is set forward is
 * taken for sleep, so that it never tells less than the time that has passed.
 */
export const createSteadyClock = (
  timeOfDay: () => number = Date.now,
  monotonic: () => number = () => performance.now(),
): (() => number) => {
  let from = { now: timeOfDay(), day: timeOfDay(), steps: monotonic() }
  return () => {
    const [day, steps] = [timeOfDay(), monotonic()]
    const [byDay, bySteps] = [day - from.day, steps - from.steps]
    const now = from.now + Math.max(byDay, bySteps)
    if (Math.abs(byDay - bySteps) > STEP_MS) from = { now, day, steps }
    return now
  }
}
