import { setTimeout as delay } from 'node:timers/promises'
import type { Dice } from 'openrfq/test/seeded.ts'
import type { Meet, PaymentKillWorld } from './payment-kill-world.ts'
import type { RestartingProcess } from './restarting-process.ts'
import type { Passage } from './send-gate.ts'
import { spendSequences } from './spend-sequences.ts'

/** Faults that hit a payment on Stellar just before it is submitted. */
const FAULTS = ['lost', 'held', 'gap'] as const
type Fault = (typeof FAULTS)[number]

/** The faults of one run. */
export type FaultInjection = {
  readonly counts: () => Readonly<Record<string, number>>
  /** Called for each transaction. */
  readonly meet: Meet
  /** Injects faults until enough processes were killed. */
  readonly run: (world: PaymentKillWorld) => Promise<void>
  /** Ends the injection early. */
  readonly stop: () => void
}

type Options = {
  readonly kills: number
  /** The most faulty payments on Stellar. */
  readonly faults: number
  readonly random: Dice
  readonly say: (line: string) => void
}

const KILL_EVERY_MS = 1_800
const FORK_EVERY_MS = 2_500
/** As many blocks as are not final. */
const MOST_DEPTH = 3
const AIM_MS = 3_000
/** One of this many payments on Stellar is faulty. */
const SPOILED_OF = 2

/** A kill that waits for its victim's next transaction. */
type Aim = { readonly victim: string; readonly passage: Passage; readonly hit: () => void }

/**
 * Kills processes at random moments and while they submit transactions; forks Solana; loses, holds and overtakes
 * payments on Stellar.
 */
export const createFaultInjection = ({ kills, faults, random, say }: Options): FaultInjection => {
  const counts = new Map<string, number>()
  let [aim, world, isOver, spoiled]: [Aim | undefined, PaymentKillWorld | undefined, boolean, number] = [
    undefined,
    undefined,
    false,
    0,
  ]
  const count = (what: string): void => {
    counts.set(what, (counts.get(what) ?? 0) + 1)
  }

  const spoil = async (fault: Fault, payer: string, chainId: string): Promise<void> => {
    const simulatedChain = world?.simulatedChains.find(({ chain }) => chain.chainId === chainId)
    const secret = world?.payers.find(({ process }) => process.name === payer)?.secrets.get(chainId)
    if (simulatedChain === undefined || secret === undefined) return
    count(fault)
    if (fault === 'lost') simulatedChain.dropNext(1)
    else if (fault === 'held') simulatedChain.holdNext?.(1)
    else
      await spendSequences({
        rpcUrl: simulatedChain.rpcUrl,
        secret,
        passphrase: simulatedChain.chain.passphrase ?? '',
      })
  }

  const meet: Meet = async (payer, chainId) => {
    const isSpoilable = chainId.startsWith('stellar:')
    if (isSpoilable && !isOver && spoiled < faults && random(SPOILED_OF) === 0) {
      const fault = FAULTS[spoiled % FAULTS.length]
      spoiled += 1
      if (fault !== undefined) await spoil(fault, payer, chainId)
    }
    if (aim?.victim !== payer) return 'through'
    const { passage, hit } = aim
    aim = undefined
    count(`${payer} ${passage}`)
    hit()
    return passage
  }

  const isHit = async (victim: RestartingProcess, passage: Passage): Promise<boolean> => {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    aim = { victim: victim.name, passage, hit: () => resolve(true) }
    const hit = await Promise.race([promise, delay(AIM_MS, false)])
    aim = undefined
    return hit
  }

  const killAll = async ({ payers }: PaymentKillWorld): Promise<void> => {
    for (let kill = 1; kill <= kills && !isOver; kill += 1) {
      await delay(random(2 * KILL_EVERY_MS))
      const alive = payers.filter(({ process }) => process.isAlive())
      const victim = alive[random(Math.max(1, alive.length))]?.process
      if (victim === undefined) continue
      const passage = random(2) === 0 ? 'killed_before' : 'killed_after'
      if (random(3) === 0 || !(await isHit(victim, passage))) {
        await victim.kill()
        count(`${victim.name} killed`)
      }
      if (kill % 10 === 0) say(`${kill} kills`)
    }
  }

  const forkOften = async ({ simulatedChains }: PaymentKillWorld): Promise<void> => {
    while (!isOver) {
      await delay(random(2 * FORK_EVERY_MS))
      for (const { fork } of simulatedChains)
        try {
          if (fork === undefined || isOver) continue
          fork(1 + random(MOST_DEPTH))
          count('forks')
        } catch (error) {
          // So soon after the last fork, fewer blocks can be dropped.
          if (!(error instanceof RangeError)) throw error
        }
    }
  }

  return {
    counts: () => Object.fromEntries(counts),
    meet,
    run: async (running) => {
      world = running
      const forking = forkOften(running)
      try {
        await killAll(running)
      } finally {
        isOver = true
        await forking
      }
    },
    stop: () => {
      isOver = true
    },
  }
}
