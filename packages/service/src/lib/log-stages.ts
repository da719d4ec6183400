import type { Log } from './log.ts'

/** Runs a stage of the start, logs its seconds, and returns its result. */
export type Stage = <Result>(stage: string, run: () => Promise<Result>) => Promise<Result>

/** Creates the log of a start's stages; `now` is in milliseconds. */
export const logStages =
  ({ log, now }: { readonly log: Log; readonly now: () => number }): Stage =>
  async (stage, run) => {
    const startedAt = now()
    const result = await run()
    log('info', 'start_stage', { stage, seconds: Math.round((now() - startedAt) / 10) / 100 })
    return result
  }
