import assert from 'node:assert/strict'
import type { SandboxDescription, WireQuote, WireStatus } from 'openrfq/test/wallet.ts'
import { type Hex, zeroAddress } from 'viem'
import { type BalanceSheet, gasKey, type Holdings, holdingKey, type OrderHistory } from './chaos-audit.ts'
import type { ChaosWorld, IntentAsset } from './chaos-world.ts'

/** A quote whose deposit was sent, and its parties; no two quotes pay the same recipient. */
export type Deposit = { readonly quote: WireQuote; readonly depositor: Hex; readonly recipient: Hex }

/** The quote's order id, the same on both chains. */
export const orderIdOf = ({ quote }: Deposit): string => String(quote.backend.tracking['swapId'])

/** The address of the solver whose quote it is. */
export const solverOf = ({ backend }: WireQuote): string => {
  const { solver } = backend.metadata
  assert.ok(typeof solver === 'object' && solver !== null && 'address' in solver)
  return String(solver.address)
}

/** Every deposit has exactly one end, and its status agrees. */
export const assertEnds = (
  deposits: readonly Deposit[],
  statuses: readonly WireStatus[],
  sheet: BalanceSheet,
): void => {
  const known = new Set(deposits.map(orderIdOf))
  for (const [orderId] of sheet.orders) assert.ok(known.has(orderId), `no deposit for ${orderId}`)
  for (const [index, deposit] of deposits.entries()) {
    const { counts, txHashes }: Omit<OrderHistory, 'fill'> = sheet.orders.get(orderIdOf(deposit)) ?? {
      counts: {},
      txHashes: {},
    }
    const { Declined: _, ...ends } = counts
    const status = statuses[index]
    const { input, output } = deposit.quote
    if (counts['Filled'] === undefined) {
      assert.deepEqual(ends, { Open: 1, Refunded: 1 })
      assert.equal(status?.state, 'REFUNDED')
      const { chain, token, amount } = input
      assert.deepEqual(status.refund, { chain, token, amount, txHash: txHashes['Refunded'] })
    } else {
      assert.deepEqual(counts, { Open: 1, Filled: 1, Proven: 1, Released: 1 })
      assert.equal(status?.state, 'DONE')
      const { chain, token, amount } = output
      assert.deepEqual(status.output, { chain, token, amount })
      assert.equal(status.destination?.txHash, txHashes['Filled'])
    }
  }
}

type Fill = NonNullable<OrderHistory['fill']>

/** The change of a holder's balance of an asset that the deposits require, without gas and relay fees. */
const owed = (
  deposits: readonly Deposit[],
  sheet: BalanceSheet,
  asset: IntentAsset,
  shareOf: (deposit: Deposit, side: 'input' | 'output', fill: Fill) => bigint,
): bigint => {
  let sum = 0n
  for (const deposit of deposits) {
    const fill = sheet.orders.get(orderIdOf(deposit))?.fill
    if (fill === undefined) continue
    for (const side of ['input', 'output'] as const) {
      const { chain, token, amount } = deposit.quote[side]
      if (chain === asset.chainId && token === asset.address)
        sum += BigInt(amount) * shareOf(deposit, side, fill)
    }
  }
  return sum
}

type Books = {
  readonly world: ChaosWorld
  readonly deposits: readonly Deposit[]
  readonly sheet: BalanceSheet
  readonly before: Holdings
  readonly after: Holdings
}

/**
 * Depositors, recipients and solvers hold exactly the amounts that the orders require; settlers hold no more than
 * before.
 */
export const assertBalances = ({ world, deposits, sheet, before, after }: Books): void => {
  const { sandbox, assets, keeper } = world
  const settlers = [...new Set(sandbox.chains.map(({ contracts }) => contracts.settler))]
  const gasServices = [...new Set(sandbox.chains.map(({ contracts }) => contracts.gasService))]
  for (const asset of assets) {
    const { chainId, address } = asset
    const changeOf = (holder: Hex): bigint => {
      const key = holdingKey(chainId, address, holder)
      return (after.get(key) ?? 0n) - (before.get(key) ?? 0n)
    }
    const isNative = asset.address === zeroAddress
    const gasOf = (holder: Hex): bigint => (isNative ? (sheet.gas.get(gasKey(chainId, holder)) ?? 0n) : 0n)
    for (const { address: user } of sandbox.accounts) {
      const due = owed(deposits, sheet, asset, ({ depositor }, side) =>
        side === 'input' && depositor === user ? -1n : 0n,
      )
      assert.equal(changeOf(user), due - gasOf(user), `${asset.symbol} of ${user} on ${chainId}`)
    }
    for (const settler of settlers) assert.equal(changeOf(settler), 0n, `${asset.symbol} left on ${chainId}`)
    let relayFees = 0n
    for (const { address: solver } of sandbox.solvers) {
      // Another solver than the quoted one may fill: it is repaid.
      const due = owed(deposits, sheet, asset, (_, side, { filler, repayTo }) => {
        if (side === 'input') return repayTo === solver ? 1n : 0n
        return filler === solver ? -1n : 0n
      })
      const lost = due - gasOf(solver) - changeOf(solver)
      if (!isNative) assert.equal(lost, 0n, `${asset.symbol} of ${solver} on ${chainId}`)
      relayFees += lost
    }
    const collected = gasServices.reduce((sum, holder) => sum + changeOf(holder), 0n)
    assert.equal(collected, relayFees, `the gas service on ${chainId} received another amount`)
    assert.equal(changeOf(keeper), -gasOf(keeper), `${asset.symbol} of the keeper on ${chainId}`)
  }
  for (const { recipient, quote } of deposits) {
    const isFilled = sheet.orders.get(orderIdOf({ recipient, quote, depositor: recipient }))?.counts['Filled']
    const { chain, token, amount } = quote.output
    const paid = after.get(holdingKey(chain, token, recipient))
    assert.equal(paid, isFilled === undefined ? 0n : BigInt(amount), `recipient of ${quote.quoteId}`)
  }
}

/** All accounts that the transfers touch. */
export const holdersOf = (
  sandbox: SandboxDescription,
  keeper: Hex,
  recipients: readonly Hex[],
): readonly Hex[] => [
  ...sandbox.accounts.map(({ address }) => address),
  ...sandbox.solvers.map(({ address }) => address),
  ...new Set(sandbox.chains.flatMap(({ contracts }) => [contracts.settler, contracts.gasService])),
  keeper,
  ...recipients,
]
