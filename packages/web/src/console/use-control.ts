import { useState } from 'react'
import { control } from '../wallets/sandbox.ts'

/** Uses a control of the sandbox, and says what came of it; `what` is said when it is done. */
export type UseControl = (name: string, body: unknown, what: string) => void

/** The controls of the sandbox; `said` is what the last one did, or why it did nothing. */
export const useControl = (baseUrl: string) => {
  const [said, setSaid] = useState<{ readonly text: string; readonly isProblem: boolean }>()
  const [isBusy, setBusy] = useState(false)
  const use: UseControl = (name, body, what) => {
    setSaid(undefined)
    setBusy(true)
    control(baseUrl, name, body)
      .then(
        () => setSaid({ text: what, isProblem: false }),
        (error: unknown) =>
          setSaid({ text: error instanceof Error ? error.message : String(error), isProblem: true }),
      )
      .finally(() => setBusy(false))
  }
  return { use, said, isBusy }
}
