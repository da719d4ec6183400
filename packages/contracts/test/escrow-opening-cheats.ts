import assert from 'node:assert/strict'
import { BALANCE, setState, TOKEN_2022, TOKENS, writeTokens } from '@openrfq/sandbox/test/escrow-tokens.ts'
import {
  ATTACKER,
  altered,
  DEPOSITOR,
  named,
  PROGRAM,
  SOLVER,
  START,
} from '@openrfq/sandbox/test/escrow-world.ts'
import { address } from '@solana/kit'
import { AccountState } from '@solana-program/token'
import { toHex } from 'viem'
import { findAssociatedAddress, findEscrowAddress } from '../src/solana/escrow-address.ts'
import { openEscrow } from '../src/solana/escrow-instructions.ts'
import type { EscrowOrder } from '../src/solana/escrow-order.ts'
import { accepts, type Cheat, cheat, moves, opened, refuses, UNSIGNED } from './escrow-cheat.ts'
import { AMOUNT, escrowOf, type Kind, orderIdOf } from './escrow-order.ts'

const TOKEN_KINDS: readonly Kind[] = ['SPL', 'Token-2022', 'wrapped SOL']
const ZERO = address('11111111111111111111111111111111')
const DAYS = 24 * 3600

/** Every term of an order with another value. */
const OTHER_TERMS: readonly Partial<EscrowOrder>[] = [
  { salt: toHex(99, { size: 32 }) },
  { originChain: toHex(99, { size: 32 }) },
  { inputAmount: AMOUNT + 1n },
  { destinationChain: toHex(99, { size: 32 }) },
  { destinationSettler: toHex(99, { size: 32 }) },
  { outputToken: toHex(99, { size: 32 }) },
  { outputAmount: 99n },
  { recipient: toHex(99, { size: 32 }) },
  { recipientTag: 99n },
  { solver: ATTACKER },
  { filler: toHex(99, { size: 32 }) },
  { openDeadline: START + 61 },
  { fillDeadline: START + 601 },
  { refundAfter: START + 3_601 },
  { attester: toHex(0xbad, { size: 20 }) },
]

const refusedTerms: readonly (readonly [Partial<EscrowOrder>, string])[] = [
  [{ openDeadline: START - 1, fillDeadline: START + 9 }, 'OpenDeadlinePassed'],
  [{ fillDeadline: START + 59 }, 'InvalidDeadlines'],
  [{ fillDeadline: START + 3_600 }, 'InvalidDeadlines'],
  [{ refundAfter: START + 30 * DAYS + 1 }, 'InvalidDeadlines'],
  [{ openDeadline: 2 ** 32 - 1, fillDeadline: 2 ** 32 - 1, refundAfter: 2 ** 32 - 1 }, 'InvalidDeadlines'],
  [{ inputAmount: 0n }, 'ZeroAmount'],
  [{ solver: ZERO }, 'WrongParty'],
  [{ attester: toHex(0, { size: 20 }) }, 'WrongParty'],
]

const accepted: readonly Partial<EscrowOrder>[] = [
  { openDeadline: START },
  { openDeadline: START + 600 },
  { fillDeadline: START + 3_599 },
  { refundAfter: START + 30 * DAYS },
  { recipientTag: 2n ** 64n - 1n, outputAmount: 2n ** 256n - 1n, salt: toHex(0, { size: 32 }) },
]

export const OPENING_CHEATS: readonly Cheat[] = [
  ...cheat('an open pays exactly the amount and the rent', async (world, kind) => {
    const escrow = await escrowOf(kind)
    const rent = world.rentOf(200) + (kind === 'SOL' ? 0n : world.rentOf(kind === 'Token-2022' ? 170 : 165))
    const vault = kind === 'SOL' ? 0n : AMOUNT
    await moves(world, escrow, () => accepts(world, escrow.open), {
      depositor: -AMOUNT,
      sponsor: -rent,
      vault,
    })
    const inLamports = kind === 'SOL' ? AMOUNT : 0n
    assert.equal(world.lamportsOf(escrow.account), world.rentOf(200) + inLamports)
  }),
  ...cheat('an open with any other term is refused at the order’s account', async (world, kind) => {
    const escrow = await escrowOf(kind)
    for (const terms of OTHER_TERMS) {
      const other = await escrowOf(kind, terms)
      const forged = { ...escrow.open, data: other.open.data ?? new Uint8Array() }
      refuses(world, forged, 'WrongOrder', Object.keys(terms).join())
    }
    accepts(world, escrow.open)
  }),
  ...cheat('an order that strangers may fill, or with a fee, has no account', async (world, kind) => {
    const { open, place } = await escrowOf(kind)
    const { order } = place
    for (const others of [
      { exclusiveUntil: order.fillDeadline - 1 },
      { exclusiveUntil: 0 },
      { integrator: toHex(9, { size: 32 }) },
      { integratorFee: 1n },
    ]) {
      const account = await findEscrowAddress(PROGRAM, orderIdOf(order, PROGRAM, others))
      refuses(world, altered(open, 2, { address: account }), 'WrongOrder', Object.keys(others).join())
    }
    accepts(world, open)
  }),
  ...cheat(
    'a stranger cannot open an order of somebody else, nor by another program',
    async (world, kind) => {
      const { open } = await escrowOf(kind)
      refuses(world, altered(open, 0, UNSIGNED), 'MissingSignature')
      refuses(world, altered(open, 1, UNSIGNED), 'MissingSignature')
      refuses(world, altered(open, 0, { address: ATTACKER }), 'WrongOrder')
      refuses(world, altered(open, 3, { address: TOKEN_2022 }), 'WrongProgram')
    },
  ),
  ...cheat('an order that is open or over is not opened again', async (world, kind) => {
    const first = await opened(world, kind)
    refuses(world, first.open, 'OrderExists')
    accepts(world, first.release)
    refuses(world, first.open, 'OrderExists')
    const second = await opened(world, kind, { salt: toHex(2, { size: 32 }) })
    accepts(world, second.decline)
    refuses(world, second.open, 'OrderExists')
    world.setTime(START + 61)
    for (const { close, open } of [first, second]) {
      accepts(world, close)
      refuses(world, open, 'OpenDeadlinePassed')
    }
  }),
  ...cheat(
    'terms that would trap or expose a deposit are refused, their bounds accepted',
    async (world, kind) => {
      for (const [terms, error] of refusedTerms)
        refuses(world, (await escrowOf(kind, terms)).open, error, Object.keys(terms).join())
      for (const terms of accepted)
        accepts(world, (await escrowOf(kind, terms)).open, Object.keys(terms).join())
    },
  ),
  ...cheat('an amount that the depositor does not have is refused', async (world, kind) => {
    for (const inputAmount of [kind === 'SOL' ? 10n ** 12n : BALANCE + 1n, 2n ** 64n - 1n])
      refuses(world, (await escrowOf(kind, { inputAmount })).open, 'Custom 1')
  }),
  ...cheat(
    'the largest amount of 64 bits goes in and out',
    async (world, kind) => {
      const token = TOKENS[kind === 'SPL' ? kind : 'Token-2022']
      const inputAmount = 2n ** 64n - 1n
      const account = await findAssociatedAddress(DEPOSITOR, token)
      writeTokens(world, token, account, { owner: DEPOSITOR, amount: inputAmount })
      const escrow = await opened(world, kind, { inputAmount })
      await moves(world, escrow, () => accepts(world, escrow.release), {
        solver: inputAmount,
        vault: -inputAmount,
      })
    },
    ['SPL', 'Token-2022'],
  ),
  ...cheat('lamports sent to the order’s address before do not keep it from opening', async (world, kind) => {
    const escrow = await escrowOf(kind)
    world.write(escrow.account, { lamports: 1n, bytes: new Uint8Array(), owner: ZERO })
    accepts(world, escrow.open)
    await moves(world, escrow, () => accepts(world, escrow.release), {
      solver: AMOUNT,
      vault: kind === 'SOL' ? 0n : -AMOUNT,
    })
    world.setTime(START + 61)
    const rest = world.lamportsOf(escrow.account)
    await moves(world, escrow, () => accepts(world, escrow.close), { sponsor: rest })
  }),
  ...cheat(
    'a vault that a stranger opened and filled does not keep the order from opening',
    async (world, kind) => {
      const escrow = await escrowOf(kind)
      if (escrow.token === undefined) return
      writeTokens(world, escrow.token, escrow.vault, { owner: escrow.account, amount: 7n })
      await moves(world, escrow, () => accepts(world, escrow.open), {
        depositor: -AMOUNT,
        vault: AMOUNT,
        sponsor: -world.rentOf(200),
      })
      await moves(world, escrow, () => accepts(world, escrow.release), {
        solver: AMOUNT + 7n,
        vault: -AMOUNT - 7n,
      })
    },
    TOKEN_KINDS,
  ),
  ...cheat(
    'a vault at another address is refused',
    async (world, kind) => {
      const { open, token, account } = await escrowOf(kind)
      if (token === undefined) return
      const vault = named('another vault')
      writeTokens(world, token, vault, { owner: account, amount: 0n })
      refuses(world, altered(open, 5, { address: vault }), 'WrongVault')
      refuses(
        world,
        altered(open, 5, { address: await findAssociatedAddress(ATTACKER, token) }),
        'WrongVault',
      )
    },
    TOKEN_KINDS,
  ),
  ...cheat(
    'tokens of somebody else are not deposited',
    async (world, kind) => {
      const { open, token } = await escrowOf(kind)
      if (token === undefined) return
      const victim = await findAssociatedAddress(ATTACKER, token)
      refuses(world, altered(open, 4, { address: victim }), 'Custom 4')
    },
    TOKEN_KINDS,
  ),
  ...cheat(
    'a frozen source is refused',
    async (world, kind) => {
      const { open, token } = await escrowOf(kind)
      if (token === undefined) return
      setState(world, await findAssociatedAddress(DEPOSITOR, token), AccountState.Frozen)
      refuses(world, open, 'Custom 17')
    },
    ['SPL', 'Token-2022'],
  ),
  ...cheat(
    'the rent is exact in both forms that clusters have, and another form is refused',
    async (world, kind) => {
      for (const [index, [lamports, years]] of (
        [
          [3_480n, 2],
          [6_960n, 1],
          [700n, 1],
        ] as const
      ).entries()) {
        world.setRent(lamports, years)
        const escrow = await opened(world, kind, { salt: toHex(index, { size: 32 }) })
        const inLamports = kind === 'SOL' ? AMOUNT : 0n
        assert.equal(world.lamportsOf(escrow.account), 328n * lamports * BigInt(years) + inLamports)
      }
      world.setRent(3_480n, 3)
      refuses(world, (await escrowOf(kind, { salt: toHex(9, { size: 32 }) })).open, 'UnsupportedRent')
    },
  ),
  ...cheat('one wallet in all parts is paid its own deposit', async (world, kind) => {
    const escrow = await escrowOf(kind, { solver: DEPOSITOR })
    const open = await openEscrow(escrow.place, DEPOSITOR)
    const before = world.lamportsOf(DEPOSITOR)
    accepts(world, open)
    accepts(world, escrow.release)
    world.setTime(START + 61)
    accepts(world, altered(escrow.close, 1, { address: DEPOSITOR }))
    assert.equal(world.lamportsOf(DEPOSITOR), before)
    assert.equal(world.read(escrow.account), undefined)
  }),
  ...cheat('instructions of another form are refused', async (world, kind) => {
    const escrow = await opened(world, kind)
    const { open, release, refund, close } = escrow
    for (const instruction of [open, release, refund, close]) {
      const [data, accounts] = [instruction.data ?? new Uint8Array(), instruction.accounts ?? []]
      for (const bytes of [data.slice(0, -1), Uint8Array.of(...data, 0), data.slice(0, 7), new Uint8Array()])
        refuses(world, { ...instruction, data: bytes }, 'InvalidInstruction')
      refuses(world, { ...instruction, data: data.map((byte) => byte ^ 1) }, 'InvalidInstruction')
      for (const list of [
        accounts.slice(0, -1),
        [...accounts, ...accounts.slice(0, 1)],
        [],
        accounts.slice(0, 1),
      ])
        refuses(world, { ...instruction, accounts: list }, 'WrongAccountCount')
      const many = Array.from({ length: 11 }, () => ({ address: SOLVER, role: 0 }))
      refuses(world, { ...instruction, accounts: many }, 'WrongAccountCount')
    }
  }),
]
