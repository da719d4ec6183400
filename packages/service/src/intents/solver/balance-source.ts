import type { ChainId } from '@openrfq/sdk'
import { SETTLER_KINDS, type SettlerKind } from '../settlers/order-status.ts'
import type { SolverAsset, SolverChain, SolverPaymentChain } from './assets.ts'

/** Balances of an account on one chain, in the order of the assets and in base units; undefined if the read failed. */
type Balances = {
  /** The balances are at least as new as this block, slot or ledger. */
  readonly blockNumber: bigint
  readonly amounts: readonly (bigint | undefined)[]
  /** The allowance of each settler; not needed where the solver pays directly. */
  readonly allowances: readonly (Allowances | undefined)[]
}

/** The allowance of each settler for an asset, in base units. */
export type Allowances = Readonly<Record<SettlerKind, bigint>>

/** Reads the balances of one chain. */
export type BalanceSource = {
  readonly chainId: ChainId
  readonly nativeDecimals: number
  readonly read: (assets: readonly SolverAsset[]) => Promise<Balances>
  /** How often to read, in milliseconds. */
  readonly periodMs: number
  /** Calls the listener whenever balances may have changed; returns the unsubscriber. */
  readonly onChange?: (listener: () => void) => () => void
}

const EVM_READ_MS = 10_000
const PAYMENT_CHAIN_READ_MS = 1_000
const UNLIMITED = 1n << 256n
const NOTHING_NEEDED: Allowances = { intent: UNLIMITED, attested: UNLIMITED }

/** Reads an EVM chain with every new head, and at least every ten seconds. */
export const evmBalances = (
  { chainId, evm, nativeDecimals, settler, attestedSettler }: SolverChain,
  account: string,
): BalanceSource => {
  const spenders: Readonly<Record<SettlerKind, string | undefined>> = {
    intent: settler,
    attested: attestedSettler,
  }
  const allowance = async (asset: SolverAsset, kind: SettlerKind): Promise<bigint | undefined> => {
    const spender = spenders[kind]
    return spender === undefined ? 0n : evm.allowance(asset.address, account, spender)
  }
  const allowancesOf = async (asset: SolverAsset): Promise<Allowances | undefined> => {
    if (asset.isNative) return NOTHING_NEEDED
    const [intent, attested] = await Promise.all(SETTLER_KINDS.map((kind) => allowance(asset, kind)))
    // Unread is not zero: an approval would be sent for it.
    return intent === undefined || attested === undefined ? undefined : { intent, attested }
  }
  return {
    chainId,
    nativeDecimals,
    read: async (assets) => {
      const [{ blockNumber, amounts }, allowances] = await Promise.all([
        evm.balances(
          account,
          assets.map(({ address }) => address),
        ),
        Promise.all(assets.map(allowancesOf)),
      ])
      return { blockNumber, amounts, allowances }
    },
    periodMs: EVM_READ_MS,
    onChange: (listener) => evm.onHead(listener),
  }
}

/** Reads a payment chain once a second. */
export const paymentChainBalances = ({
  chainId,
  paymentChain,
  account,
  nativeDecimals,
}: SolverPaymentChain): BalanceSource => ({
  chainId,
  nativeDecimals,
  read: async (assets) => {
    const { number, amounts } = await paymentChain.balances(
      account,
      assets.map(({ address }) => address),
    )
    return { blockNumber: number, amounts, allowances: assets.map(() => NOTHING_NEEDED) }
  },
  periodMs: PAYMENT_CHAIN_READ_MS,
})
