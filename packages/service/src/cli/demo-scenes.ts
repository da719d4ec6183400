import type { Catalogue } from './catalogue.ts'
import { type DemoBackend, demoPairs, type Families } from './demo-pairs.ts'
import type { Ending } from './demo-transfer.ts'

/** Which refunds the demo shows. */
export const REFUNDS = ['declining', 'paused', 'none'] as const

/** Options of the demo. */
export type DemoParams = {
  readonly refund: (typeof REFUNDS)[number]
  /** Transfers over every pair of families, including pairs without listed tokens. */
  readonly allPairs: boolean
}

/** One transfer of the demo. */
export type Scene = {
  readonly backend: DemoBackend
  readonly title: string
  readonly families: Families
  readonly ending: Ending
}

const EVM: Families = { from: 'evm', to: 'evm' }
/** Every family once as source and once as destination. */
const ROUND: readonly Families[] = [
  { from: 'evm', to: 'solana' },
  { from: 'solana', to: 'stellar' },
  { from: 'stellar', to: 'evm' },
]
const BACK: readonly Families[] = [
  { from: 'solana', to: 'evm' },
  { from: 'stellar', to: 'solana' },
  { from: 'evm', to: 'stellar' },
]
const PAYMENT_CHAIN_REFUNDS: readonly Families[] = [
  { from: 'solana', to: 'evm' },
  { from: 'stellar', to: 'evm' },
]
const LABELS = { evm: 'EVM', solana: 'Solana', stellar: 'Stellar' } as const satisfies Record<
  Families['from'],
  string
>

const titled = (what: string, { from, to }: Families): string => `${what}, ${LABELS[from]} → ${LABELS[to]}`

/** The transfers that end in DONE: one per backend, and those between families. */
export const paidScenes = (
  catalogue: Catalogue,
  backends: readonly DemoBackend[],
  { allPairs }: DemoParams,
): readonly Scene[] => [
  ...backends.map((backend): Scene => ({ backend, title: 'Transfer', families: EVM, ending: 'DONE' })),
  ...backends
    .filter(({ demo }) => demo.crossesFamilies)
    .flatMap((backend) =>
      (allPairs
        ? [...ROUND, ...BACK]
        : ROUND.filter((families) => isListed(catalogue, backend, families))
      ).map(
        (families): Scene => ({ backend, title: titled('Transfer', families), families, ending: 'DONE' }),
      ),
    ),
]

/**
 * The transfers that end in REFUNDED. Deposits on Stellar are refunded only after their deadlines, when no fill can land any
 * more, so payment chains are shown with paused solvers.
 */
export const refundScenes = (
  catalogue: Catalogue,
  backends: readonly DemoBackend[],
  { refund, allPairs }: DemoParams,
): readonly Scene[] =>
  refund === 'none'
    ? []
    : backends
        .filter(({ demo }) => demo.refunds)
        .flatMap((backend) => {
          const paymentChains = PAYMENT_CHAIN_REFUNDS.filter(
            (families) => allPairs || isListed(catalogue, backend, families),
          )
          return [EVM, ...(refund === 'paused' ? paymentChains : [])].map((families) => ({
            backend,
            title: titled(`Refund with solvers ${refund}`, families),
            families,
            ending: 'REFUNDED',
          }))
        })

const isListed = (catalogue: Catalogue, backend: DemoBackend, families: Families): boolean =>
  demoPairs(catalogue, backend, families).length > 0
