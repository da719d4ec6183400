import assert from 'node:assert/strict'
import type { Quote } from '@openrfq/sdk'
import { follow, type WireStatus } from 'openrfq/test/wallet.ts'
import type { FamiliesWorld, FamilyAccount, FamilyChain, FamilyToken } from './families-world.ts'

/** A payer on a payment chain with its own quote, paid in one token, for dollars on an EVM chain. */
export type Deposit = {
  readonly chain: FamilyChain
  readonly token: FamilyToken
  readonly payer: FamilyAccount
  readonly quote: Quote
  readonly input: bigint
  /** The payer's present balance of the token. */
  readonly balance: () => Promise<bigint>
  /** Polls the status until the condition holds. */
  readonly follow: (isMet: (status: WireStatus) => boolean) => ReturnType<typeof follow>
}

/** A payment to make: its chain, the index of the paying account, and whole tokens. */
type DepositParams = {
  readonly from: 'stellar'
  readonly user: number
  readonly symbol?: RegExp
  readonly whole?: bigint
}

/** Requests a quote whose deposit the test pays itself. */
export const quoteDeposit = async (
  world: FamiliesWorld,
  { from, user, symbol = /USDC/, whole = 40n }: DepositParams,
): Promise<Deposit> => {
  const [chain, evm] = [world.chainOf(from), world.chainOf('evm')]
  const [token, dollars] = [world.tokenOf(chain, symbol), world.tokenOf(evm, /USDC/)]
  const payer = world.accountOf(chain, user)
  const input = whole * 10n ** BigInt(token.decimals)
  const quote = await world.quote({
    fromChain: chain.chainId,
    fromToken: token.address,
    toChain: evm.chainId,
    toToken: dollars.address,
    amount: input.toString(),
    orderType: 'EXACT_INPUT',
    sender: payer.address,
    recipient: world.accountOf(evm, user).address,
  })
  return {
    chain,
    token,
    payer,
    quote,
    input,
    balance: () => world.balanceOf(chain, token, payer.address),
    follow: (isMet) => follow(world.url, { quoteId: quote.quoteId }, isMet),
  }
}

export const isDone = ({ state }: WireStatus): boolean => state === 'DONE'
export const isRefunded = ({ state }: WireStatus): boolean => state === 'REFUNDED'

/** Asserts that the order was filled as quoted, without a refund. */
export const assertDelivered = ({ state, output, refund }: WireStatus, quote: Quote): void => {
  const { chain, token, amount } = quote.output
  assert.deepEqual([state, output, refund], ['DONE', { chain, token, amount }, null])
}

/** Asserts that the whole transfer was refunded, with this amount by a separate transaction. */
export const assertRefunded = (
  { state, output, destination, refund, details }: WireStatus,
  expected: { readonly token: string; readonly amount: bigint; readonly reasonCode: string },
): void => {
  assert.deepEqual([state, output, destination], ['REFUNDED', null, null])
  assert.deepEqual(
    [refund?.token, refund?.amount, details['reasonCode']],
    [expected.token, expected.amount.toString(), expected.reasonCode],
  )
  assert.ok(refund?.txHash)
}

type Rest = {
  readonly reason: string
  readonly token: string
  readonly amount: string
  readonly depositTxHash: string
  readonly refundTxHash: string | null
}

/** The extra deposits in the status details. */
const extrasOf = ({ details }: WireStatus): readonly Rest[] => {
  // CAST: the shape of the details is what the tests check.
  const { excessRefund, extraDeposits = [] } = details as { excessRefund?: Rest; extraDeposits?: Rest[] }
  return [...(excessRefund === undefined ? [] : [excessRefund]), ...extraDeposits]
}

/** Whether exactly this many extra deposits are shown, each with the transaction that returned it. */
export const areReturned =
  (count: number) =>
  (status: WireStatus): boolean =>
    extrasOf(status).length === count && extrasOf(status).every(({ refundTxHash }) => refundTxHash !== null)

/** The reason, token, amount and deposit's transaction of each extra deposit in a status. */
export const describeExtras = (status: WireStatus): readonly (readonly string[])[] =>
  extrasOf(status).map(({ reason, token, amount, depositTxHash }) => [reason, token, amount, depositTxHash])

/** Balances of the operator's vaults, by token. */
export type VaultHoldings = readonly {
  readonly name: string
  readonly isNative: boolean
  readonly amount: bigint
}[]

const HELD = [
  ['stellar', /USDC/, false],
  ['stellar', /EURC/, false],
  ['stellar', /XLM/, true],
] as const

/** Reads the vaults' balances, always in the same order. */
export const vaultHoldings = (world: FamiliesWorld): Promise<VaultHoldings> =>
  Promise.all(
    HELD.map(async ([family, symbol, isNative]) => {
      const chain = world.chainOf(family)
      const token = world.tokenOf(chain, symbol)
      assert.ok(chain.vault)
      const amount = await world.balanceOf(chain, token, chain.vault)
      return { name: `${token.symbol} on ${family}`, isNative, amount }
    }),
  )
