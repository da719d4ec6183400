import { useState } from 'react'
import { control } from '../wallets/sandbox.ts'

const MODES = {
  normal: 'fill at once',
  slow: 'fill late, in time',
  declining: 'decline orders',
  paused: 'do nothing',
} as const

/** Switches of the sandbox, which make transfers late, fail or come back. */
export const SandboxPanel = ({ baseUrl, mode }: { readonly baseUrl: string; readonly mode: string }) => {
  const [problem, setProblem] = useState<string>()
  const use = (name: string, body: unknown): void => {
    setProblem(undefined)
    control(baseUrl, name, body).catch((error: unknown) =>
      setProblem(error instanceof Error ? error.message : String(error)),
    )
  }
  return (
    <section className="card" aria-labelledby="sandbox">
      <h2 id="sandbox">Sandbox</h2>
      <p className="quiet">Local chains with play money. These switches show what else can happen.</p>
      <div className="switches">
        <label>
          <span className="label">Solvers</span>
          <select
            className="field"
            defaultValue={mode}
            onChange={({ target }) => use('solver', { mode: target.value })}
          >
            {Object.entries(MODES).map(([name, text]) => (
              <option key={name} value={name}>
                {text}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span className="label">Axelar's relayer</span>
          <select
            className="field"
            defaultValue="running"
            onChange={({ target }) => use('relayer', { paused: target.value === 'paused' })}
          >
            <option value="running">runs</option>
            <option value="paused">is paused</option>
          </select>
        </label>
        <button type="button" className="button plain" onClick={() => use('clock', { seconds: 60 })}>
          Let a minute pass
        </button>
      </div>
      {problem === undefined ? null : (
        <p className="notice" role="alert">
          {problem}
        </p>
      )}
    </section>
  )
}
