import type { DeniedPayment, GapSource, Reconciliation } from '../../app/reconcile.ts'
import type { Command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import type { Flags } from '../flags.ts'
import { table } from '../table.ts'
import { UsageError } from '../usage-error.ts'

const lineOf = ({ chainId, txHash, position, role, token, amount, isVoid }: DeniedPayment): string =>
  `${isVoid ? 'voided' : 'no endpoint has'} the ${role} of ${amount} ${token}: payment ${position} of ${txHash} on ${chainId}`

/** The second source that the flags name. Throws UsageError for two, and for what is no address. */
const sourceOf = (flags: Flags): GapSource | undefined => {
  const [horizon, rpc] = [flags.text('horizon'), flags.text('rpc')]
  if (horizon !== undefined && rpc !== undefined) throw new UsageError('name --horizon or --rpc, not both')
  const text = horizon ?? rpc
  const wanted = flags.has('record') ? 'recorded' : 'shown'
  if (text === undefined && wanted === 'recorded')
    throw new UsageError('--record needs --horizon or --rpc: whose payments are recorded')
  if (text === undefined) return undefined
  const url = URL.parse(text)
  if (url === null) throw new UsageError(`expected an address (https://…), got ${text}`)
  return { kind: horizon === undefined ? 'rpc' : 'horizon', url, chainId: flags.text('chain'), wanted }
}

type Gap = Reconciliation['gaps'][number]

const gapLines = ({
  chainId,
  after,
  upTo,
  payments,
  compared,
  objections,
  isRecorded,
}: Gap): readonly string[] => [
  `no endpoint of ${chainId} knows blocks ${after + 1n} to ${upTo}; of later payments the source tells ${compared} as the endpoints do`,
  ...payments.map(
    ({ role, amount, token, from, to, txHash, position, orderId }) =>
      `  ${role} of ${amount} ${token} from ${from} to ${to} for ${orderId ?? 'no order'}: payment ${position} of ${txHash}`,
  ),
  ...objections.map((objection) => `  refused: ${objection}`),
  isRecorded ? `recorded ${payments.length} payments` : 'recorded nothing',
]

/** Compares the vaults' books with their chains; the outcome is the exit code. */
export const reconcileCommand: Command = {
  name: 'reconcile',
  summary: 'compare what the vaults received, paid and hold, by the store and by the chains',
  flags: [
    { name: 'void', help: 'void the stored payments that no endpoint has' },
    { name: 'horizon', value: 'url', help: 'read what endpoints have forgotten from this Horizon' },
    { name: 'rpc', value: 'url', help: 'read it from this node with a longer history' },
    { name: 'chain', value: 'id', help: 'only the gap of this chain' },
    { name: 'record', help: 'store it, and let the service read on behind it' },
  ],
  example: 'reconcile --json',
  run: async ({ flags, json, terminal, environment }) => {
    const { reconcile } = await import('../../app/reconcile.ts')
    const note = (level: string, event: string): void => terminal.note(`${level} ${event}`)
    const { vaults, gaps, denied } = await reconcile(environment, note, {
      denied: flags.has('void') ? 'void' : 'named',
      source: sourceOf(flags),
    })
    if (json) terminal.printJson({ vaults, gaps, denied })
    else {
      for (const gap of gaps) terminal.print(...gapLines(gap))
      terminal.print(
        ...table(
          [
            { title: 'chain' },
            { title: 'token' },
            { title: 'received', align: 'right' },
            { title: 'paid', align: 'right' },
            { title: 'owed', align: 'right' },
            { title: 'balance', align: 'right' },
            { title: 'unknown', align: 'right' },
            { title: '' },
          ],
          vaults.map(({ chainId, token, received, paid, balance, unknown, isCovered }) => [
            chainId,
            token,
            String(received),
            String(paid),
            String(received - paid),
            String(balance),
            String(unknown),
            isCovered ? 'covered' : terminal.paint('red', 'SHORT'),
          ]),
        ),
      )
      terminal.print(...denied.map(lineOf))
    }
    const isSound =
      vaults.every(({ isCovered }) => isCovered) &&
      denied.every(({ isVoid }) => isVoid) &&
      gaps.every(({ isRecorded }) => isRecorded)
    return isSound ? EXIT.done : EXIT.failed
  },
}
