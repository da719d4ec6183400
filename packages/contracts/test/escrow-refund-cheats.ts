import assert from 'node:assert/strict'
import { giveAway, remove, setState, writeTokens } from '@openrfq/sandbox/test/escrow-tokens.ts'
import {
  ATTACKER,
  altered,
  DEPOSITOR,
  type EscrowWorld,
  named,
  SOLVER,
  SPONSOR,
  START,
  STRANGER,
} from '@openrfq/sandbox/test/escrow-world.ts'
import { AccountRole, createNoopSigner } from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import { AccountState } from '@solana-program/token'
import { findAssociatedAddress } from '../src/solana/escrow-address.ts'
import { accepts, type Cheat, cheat, moves, opened, refuses, SIGNED } from './escrow-cheat.ts'
import { AMOUNT, amountAt, type Escrow, escrowOf, type Kind } from './escrow-order.ts'

const TOKEN_KINDS: readonly Kind[] = ['SPL', 'Token-2022', 'wrapped SOL']
const FEE = 5_000n

const paysDepositor = (escrow: Escrow) => ({
  depositor: AMOUNT,
  vault: escrow.token === undefined ? 0n : -AMOUNT,
})

const vaultRent = (world: EscrowWorld, kind: Kind): bigint =>
  kind === 'SOL' ? 0n : world.rentOf(kind === 'Token-2022' ? 170 : 165)

export const REFUND_CHEATS: readonly Cheat[] = [
  ...cheat('a refund pays the depositor exactly the amount, after refundAfter, once', async (world, kind) => {
    const escrow = await opened(world, kind)
    for (const seconds of [START, START + 61, START + 3_600]) {
      world.setTime(seconds)
      refuses(world, escrow.refund, 'RefundTooEarly')
    }
    world.setTime(START + 3_601)
    await moves(world, escrow, () => accepts(world, escrow.refund), paysDepositor(escrow))
    for (const again of [escrow.release, escrow.refund, escrow.decline]) refuses(world, again, 'OrderNotOpen')
  }),
  ...cheat('only the solver can refund the depositor early', async (world, kind) => {
    const escrow = await opened(world, kind)
    refuses(world, altered(escrow.decline, 2, { address: ATTACKER }), 'WrongParty')
    refuses(world, altered(escrow.refund, 1, SIGNED), 'RefundTooEarly')
    await moves(world, escrow, () => accepts(world, escrow.decline), paysDepositor(escrow))
    for (const again of [escrow.release, escrow.refund, escrow.decline]) refuses(world, again, 'OrderNotOpen')
  }),
  ...cheat('a refund goes to the depositor only', async (world, kind) => {
    const escrow = await opened(world, kind)
    world.setTime(START + 3_601)
    for (const address of [ATTACKER, SOLVER, SPONSOR])
      for (const change of [{}, SIGNED])
        refuses(world, altered(escrow.refund, 1, { address, ...change }), 'WrongParty')
    refuses(world, altered(escrow.refund, 2, { address: ATTACKER }), 'WrongParty')
  }),
  ...cheat(
    'tokens are refunded to no account but the depositor’s associated one, unless the depositor signs',
    async (world, kind) => {
      const { refund, token, vault } = await opened(world, kind)
      if (token === undefined) return
      world.setTime(START + 3_601)
      const own = named('another account of the depositor')
      writeTokens(world, token, own, { owner: DEPOSITOR, amount: 0n, closeAuthority: ATTACKER })
      const foreign = await findAssociatedAddress(ATTACKER, token)
      for (const address of [own, foreign, vault])
        refuses(world, altered(refund, 4, { address }), 'WrongDestination')
      for (const address of [named('nowhere'), ATTACKER]) refuses(world, altered(refund, 4, { address }))
      refuses(world, altered(altered(refund, 4, { address: vault }), 1, SIGNED), 'WrongDestination')
      accepts(world, altered(altered(refund, 4, { address: own }), 1, SIGNED))
    },
    TOKEN_KINDS,
  ),
  ...cheat(
    'a depositor’s account that was given away or frozen does not take the tokens; another does with a signature',
    async (world, kind) => {
      const { refund, token } = await opened(world, kind)
      if (token === undefined) return
      world.setTime(START + 3_601)
      const account = await findAssociatedAddress(DEPOSITOR, token)
      setState(world, account, AccountState.Frozen)
      refuses(world, refund, 'Custom 17')
      setState(world, account, AccountState.Initialized)
      giveAway(world, account, ATTACKER)
      refuses(world, refund, 'WrongDestination')
      const other = named('another account of the depositor')
      writeTokens(world, token, other, { owner: DEPOSITOR, amount: 0n })
      accepts(world, altered(altered(refund, 4, { address: other }), 1, SIGNED))
      assert.equal(amountAt(world, other), AMOUNT)
    },
    TOKEN_KINDS,
  ),
  ...['refund', 'decline'].flatMap((way) =>
    cheat(
      `a ${way} opens the depositor's closed account from the escrow's rent: the caller pays the fee only`,
      async (world, kind) => {
        const escrow = await opened(world, kind)
        if (escrow.token === undefined) return
        if (way === 'refund') world.setTime(START + 3_601)
        remove(world, await findAssociatedAddress(DEPOSITOR, escrow.token))
        const fee = way === 'refund' ? FEE : 2n * FEE
        const call = way === 'refund' ? escrow.refund : escrow.decline
        const rent = vaultRent(world, kind)
        await moves(world, escrow, () => accepts(world, call), { ...paysDepositor(escrow), stranger: -fee })
        world.setTime(START + 3_601)
        const rest = world.rentOf(200)
        await moves(world, escrow, () => accepts(world, escrow.close), { sponsor: rest })
        const account = await findAssociatedAddress(DEPOSITOR, escrow.token)
        assert.equal(world.lamportsOf(account), rent + (kind === 'wrapped SOL' ? AMOUNT : 0n))
      },
      TOKEN_KINDS,
    ),
  ),
  ...cheat(
    'a caller that has not signed cannot be charged for the depositor’s account',
    async (world, kind) => {
      const { refund, token } = await opened(world, kind)
      if (token === undefined) return
      world.setTime(START + 3_601)
      remove(world, await findAssociatedAddress(DEPOSITOR, token))
      const role = AccountRole.WRITABLE
      refuses(world, altered(refund, 7, { address: ATTACKER, role }), 'PrivilegeEscalation')
    },
    TOKEN_KINDS,
  ),
  ...cheat('a depositor alone gets everything back, with one signature', async (world, kind) => {
    const escrow = await escrowOf(kind)
    accepts(world, altered(escrow.open, 1, { address: DEPOSITOR }))
    world.setTime(START + 3_601)
    const refund = altered(escrow.refund, 7, { address: DEPOSITOR })
    const close = altered(escrow.close, 1, { address: DEPOSITOR })
    const before = world.lamportsOf(DEPOSITOR)
    const { error } = world.send([refund, close], DEPOSITOR)
    assert.equal(error, undefined)
    const rent = world.rentOf(200) + vaultRent(world, kind) + (kind === 'SOL' ? AMOUNT : 0n)
    assert.equal(world.lamportsOf(DEPOSITOR) - before, rent - FEE)
  }),
]

export const CLOSE_CHEATS: readonly Cheat[] = [
  ...cheat('an order that is open is never closed', async (world, kind) => {
    const escrow = await opened(world, kind)
    for (const seconds of [START, START + 61, START + 10_000]) {
      world.setTime(seconds)
      refuses(world, escrow.close, 'CloseTooEarly')
    }
  }),
  ...cheat('an order is not closed as long as it could be opened', async (world, kind) => {
    const escrow = await opened(world, kind)
    accepts(world, escrow.release)
    for (const seconds of [START, START + 60]) {
      world.setTime(seconds)
      refuses(world, escrow.close, 'CloseTooEarly')
    }
    world.setTime(START + 61)
    accepts(world, escrow.close)
  }),
  ...['release', 'decline'].flatMap((way) =>
    cheat(`after a ${way} all rent goes back to the account that paid it`, async (world, kind) => {
      const before = world.lamportsOf(SPONSOR)
      const escrow = await opened(world, kind)
      accepts(world, way === 'release' ? escrow.release : escrow.decline)
      world.setTime(START + 61)
      for (const address of [ATTACKER, DEPOSITOR, SOLVER])
        refuses(world, altered(escrow.close, 1, { address }), 'WrongParty')
      accepts(world, escrow.close)
      assert.equal(world.lamportsOf(SPONSOR), before)
      assert.equal(world.read(escrow.account), undefined)
      refuses(world, escrow.close, 'WrongOrder')
    }),
  ),
  ...cheat('a closed order does not come back within the transaction', async (world, kind) => {
    const escrow = await opened(world, kind)
    accepts(world, escrow.release)
    world.setTime(START + 61)
    const source = createNoopSigner(STRANGER)
    const revived = getTransferSolInstruction({ source, destination: escrow.account, amount: 10_000_000n })
    refuses(world, [escrow.close, revived, escrow.close], 'WrongOrder')
    refuses(world, [escrow.close, revived, escrow.release], 'WrongOrder')
    refuses(world, [escrow.close, revived, escrow.open], 'OpenDeadlinePassed')
    accepts(world, [escrow.close, revived])
    const left = world.read(escrow.account)
    assert.deepEqual([left?.bytes.length, left?.lamports], [0, 10_000_000n])
    assert.equal(left?.owner, '11111111111111111111111111111111')
  }),
  ...cheat(
    'lamports sent to an order go to the payer of its rent, and do not change the payout',
    async (world, kind) => {
      const escrow = await opened(world, kind)
      const found = world.read(escrow.account)
      assert.ok(found)
      world.write(escrow.account, { ...found, lamports: found.lamports + 777n })
      await moves(world, escrow, () => accepts(world, escrow.release), {
        solver: AMOUNT,
        vault: kind === 'SOL' ? 0n : -AMOUNT,
      })
      world.setTime(START + 61)
      const rent = world.rentOf(200) + vaultRent(world, kind)
      await moves(world, escrow, () => accepts(world, escrow.close), { sponsor: rent + 777n })
    },
  ),
]
