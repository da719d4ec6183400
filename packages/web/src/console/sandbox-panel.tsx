import type { Sandbox } from '../wallets/sandbox.ts'
import { Balances } from './balances.tsx'
import { ChainFaults } from './chain-faults.tsx'
import type { Lists, Trade } from './trade.ts'
import { type UseControl, useControl } from './use-control.ts'

const MODES = {
  normal: 'fill at once',
  slow: 'fill late, in time',
  late: 'fill too late',
  short: 'pay too little',
  declining: 'decline orders',
  paused: 'do nothing',
} as const

const CLOCK_SECONDS = 60

/** The sandbox's balances and faucet, and switches that make transfers late, fail or come back. */
export const SandboxPanel = ({
  baseUrl,
  lists,
  sandbox,
  trade,
  payer,
}: {
  readonly baseUrl: string
  readonly lists: Lists
  readonly sandbox: Sandbox
  readonly trade: Trade
  readonly payer: string | undefined
}) => {
  const { use, said, isBusy } = useControl(baseUrl)
  return (
    <section className="card sandbox" aria-labelledby="sandbox">
      <h2 id="sandbox">Sandbox</h2>
      <p className="quiet">Local chains with play money. These switches show what else can happen.</p>
      <Balances lists={lists} sandbox={sandbox} trade={trade} payer={payer} use={use} isBusy={isBusy} />
      <Market
        mode={sandbox.solvers[0]?.mode ?? 'normal'}
        hasAttester={sandbox.attester !== undefined}
        use={use}
      />
      <ChainFaults lists={lists} sandbox={sandbox} use={use} isBusy={isBusy} />
      {said === undefined ? null : (
        <p className={said.isProblem ? 'notice' : 'quiet'} role={said.isProblem ? 'alert' : 'status'}>
          {said.text}
        </p>
      )}
    </section>
  )
}

const Market = ({
  mode,
  hasAttester,
  use,
}: {
  readonly mode: string
  readonly hasAttester: boolean
  readonly use: UseControl
}) => (
  <div className="switches">
    <label>
      <span className="label">Solvers</span>
      <select
        className="field"
        defaultValue={mode}
        onChange={({ target }) => use('solver', { mode: target.value }, 'The solvers follow.')}
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
        onChange={({ target }) =>
          use(
            'relayer',
            { paused: target.value === 'paused' },
            `The relayer ${target.selectedOptions[0]?.text}.`,
          )
        }
      >
        <option value="running">runs</option>
        <option value="paused">is paused</option>
      </select>
    </label>
    <label>
      <span className="label">Express executor</span>
      <select
        className="field"
        defaultValue="on"
        onChange={({ target }) =>
          use(
            'relayer',
            { express: target.value === 'on' },
            `The executor ${target.selectedOptions[0]?.text}.`,
          )
        }
      >
        <option value="on">delivers early</option>
        <option value="off">is off</option>
      </select>
    </label>
    {hasAttester ? (
      <label>
        <span className="label">Attester</span>
        <select
          className="field"
          defaultValue="running"
          onChange={({ target }) =>
            use(
              'attester',
              { paused: target.value === 'stopped' },
              `The attester ${target.selectedOptions[0]?.text}.`,
            )
          }
        >
          <option value="running">runs</option>
          <option value="stopped">is stopped</option>
        </select>
      </label>
    ) : null}
    <div className="end-of-row">
      <button
        type="button"
        className="button plain"
        onClick={() => use('clock', { seconds: CLOCK_SECONDS }, 'A minute has passed on every chain.')}
      >
        Let a minute pass
      </button>
    </div>
  </div>
)
