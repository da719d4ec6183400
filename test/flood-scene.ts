import type { TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Keypair, Operation } from '@stellar/stellar-sdk'
import { eventually } from 'openrfq/test/eventually.ts'
import { alteredOnStellar, assetOf, submitOnStellar } from './altered-deposits.ts'
import { assertDelivered, isDone, quoteDeposit } from './deposit-world.ts'
import type { FamiliesWorld } from './families-world.ts'

export const LUMEN = 10_000_000n
/** The most operations of a transaction. */
export const OPERATIONS = 100
const EXCESS = 50_000_000n
const FLOODERS = 5
/** Together they fill the ledgers of the public network, which take a thousand operations in five seconds. */
const FLOODER_MS = (1_000 * FLOODERS * OPERATIONS) / 200

/** Payments of strangers to a world's vault on Stellar, and an order of a user beside them. */
export const createFloodScene = (world: FamiliesWorld) => {
  const chain = world.chainOf('stellar')
  const lumens = world.tokenOf(chain, /XLM/)
  const dollars = world.tokenOf(chain, /USDC/)
  const lumensOf = (account: string): Promise<bigint> => world.balanceOf(chain, lumens, account)

  /** An account of its own with lumens. */
  const openAttacker = async (): Promise<Keypair> => {
    const keys = Keypair.random()
    await world.fund(chain, lumens, keys.publicKey(), 100n * LUMEN)
    return keys
  }

  /** Pays the vault a hundred times in one transaction, without a reference. */
  const payAHundredTimes = (attacker: Keypair, stroops: bigint) => {
    const amount = (Number(stroops) / Number(LUMEN)).toFixed(7)
    const pay = Operation.payment({ destination: chain.vault ?? '', asset: assetOf(lumens), amount })
    return submitOnStellar(
      chain,
      attacker.secret(),
      Array.from({ length: OPERATIONS }, () => pay),
    )
  }

  /** Accounts that flood the vault, and what they hold together. */
  const openFlooders = async () => {
    const flooders = await Promise.all(Array.from({ length: FLOODERS }, openAttacker))
    return {
      hold: async (): Promise<bigint> => {
        const held = await Promise.all(flooders.map((keys) => lumensOf(keys.publicKey())))
        return held.reduce((sum, one) => sum + one, 0n)
      },
      /** Pays the vault one stroop so many times, a hundred in each transaction. Returns the number of payments. */
      flood: async (payments: number): Promise<number> => {
        let left = Math.ceil(payments / OPERATIONS)
        const made = left * OPERATIONS
        await Promise.all(
          flooders.map(async (keys) => {
            for (; left > 0; ) {
              left -= 1
              await Promise.all([payAHundredTimes(keys, 1n), delay(FLOODER_MS)])
            }
          }),
        )
        return made
      },
    }
  }

  const solversHold = async (): Promise<bigint> => {
    const held = world.solversOn(chain).map((account) => world.balanceOf(chain, dollars, account))
    return (await Promise.all(held)).reduce((sum, one) => sum + one, 0n)
  }

  /**
   * Pays too much for an order, and waits until it is delivered, its solver repaid and the excess back. Prints the times.
   */
  const payHonestly = async (
    context: TestContext,
    user: number,
    atDone: () => Promise<void> = async () => undefined,
  ): Promise<void> => {
    const { quote, payer, input, balance, follow } = await quoteDeposit(world, { from: 'stellar', user })
    const [held, solvers] = [await balance(), await solversHold()]
    const startedAt = performance.now()
    const after = (what: string): void =>
      context.diagnostic(`${what} ${Math.round(performance.now() - startedAt)} ms after the deposit`)
    await world.execute(alteredOnStellar(quote, { amount: input + EXCESS }), payer)
    assertDelivered((await follow(isDone)).last, quote)
    after('DONE')
    await atDone()
    await eventually('the solver is repaid', async () => (await solversHold()) === solvers + input)
    after('the solver is repaid')
    await eventually('the excess comes back', async () => (await balance()) === held - input)
    after('the excess is back')
  }

  return {
    ...{ lumensOf, openAttacker, payAHundredTimes, openFlooders, solversHold, payHonestly },
    vault: chain.vault ?? '',
  }
}
