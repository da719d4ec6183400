import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Claimant, xdr as codec, Operation, StrKey, scValToNative, type xdr } from '@stellar/stellar-sdk'
import fc from 'fast-check'
import { addressOf } from './address.ts'
import { createAssetIssuer, sdkAsset, wholeUnits } from './asset-issuer.ts'
import { type AssetName, NATIVE } from './asset-name.ts'
import { TOTAL_STROOPS } from './closed-ledger.ts'
import { crossOffer, liabilitiesOf, type Rounding, type TradeBounds } from './cross-offer.ts'
import { MAX_INT64 } from './entries.ts'
import { genesisEntries, ISSUED_ASSETS } from './genesis.ts'
import { ISSUER_KEY, USER_KEYS } from './keys.ts'
import { availableBalance } from './reserves.ts'
import { createSimulatedStellar, type SimulatedStellar } from './simulated-stellar.ts'

type Step = {
  readonly actor: number
  readonly kind: 'pay' | 'receive' | 'send' | 'offer' | 'claimable' | 'claim' | 'mint' | 'burn' | 'trust'
  readonly sends: number
  /** How many assets after the one sent. */
  readonly receives: number
  readonly amount: number
  readonly price: { readonly n: number; readonly d: number }
}

const arbitraryStep: fc.Arbitrary<Step> = fc.record({
  actor: fc.nat(2),
  kind: fc.constantFrom(
    'pay',
    'receive',
    'send',
    'offer',
    'offer',
    'claimable',
    'claim',
    'mint',
    'burn',
    'trust',
  ),
  sends: fc.nat(2),
  receives: fc.integer({ min: 1, max: 2 }),
  amount: fc.integer({ min: 1, max: 60 }),
  price: fc.record({ n: fc.integer({ min: 1, max: 5 }), d: fc.integer({ min: 1, max: 5 }) }),
})

/** Three users that trade small amounts with each other, so that every rounding shows. */
const createTraders = (ledger: SimulatedStellar, assetIssuer: ReturnType<typeof createAssetIssuer>) => {
  const names: readonly AssetName[] = [NATIVE, ...ISSUED_ASSETS.map(({ asset }) => asset)]
  const nameAt = (index: number): AssetName => names[index] ?? NATIVE
  const keyAt = (index: number) => USER_KEYS[index] ?? ISSUER_KEY
  const claimable = (address: string): string | undefined => {
    for (const key of ledger.keys()) {
      const entry = ledger.find(key)?.entry
      if (entry?.kind !== 'claimable') continue
      const [claimant] = entry.claimants
      if (claimant !== undefined && addressOf(claimant.v0.destination) === address) return entry.balanceId
    }
    return undefined
  }
  const operationOf = (step: Step): xdr.Operation => {
    const source = keyAt(step.actor).address
    const destination = keyAt((step.actor + 1) % 3).address
    const [sends, receives] = [nameAt(step.sends), nameAt((step.sends + step.receives) % 3)]
    const [sendAsset, destAsset] = [sdkAsset(sends), sdkAsset(receives)]
    const amount = wholeUnits(BigInt(step.amount))
    const issued = sdkAsset(nameAt(1 + (step.sends % 2)))
    switch (step.kind) {
      case 'pay':
        return Operation.payment({ destination, asset: sendAsset, amount })
      case 'receive':
        return Operation.pathPaymentStrictReceive({
          ...{ sendAsset, destAsset, destination, path: [] },
          ...{ sendMax: wholeUnits(1000n), destAmount: amount },
        })
      case 'send':
        return Operation.pathPaymentStrictSend({
          ...{ sendAsset, destAsset, destination, path: [] },
          ...{ sendAmount: amount, destMin: wholeUnits(1n) },
        })
      case 'offer':
        return Operation.manageSellOffer({
          selling: sendAsset,
          buying: destAsset,
          amount,
          price: step.price,
        })
      case 'claimable':
        return Operation.createClaimableBalance({
          asset: sendAsset,
          amount,
          claimants: [new Claimant(destination)],
        })
      case 'claim':
        return Operation.claimClaimableBalance({
          balanceId: `00000000${claimable(source) ?? '00'.repeat(32)}`,
        })
      case 'mint':
        return Operation.payment({ source: ISSUER_KEY.address, destination: source, asset: issued, amount })
      case 'burn':
        return Operation.payment({ destination: ISSUER_KEY.address, asset: issued, amount })
      case 'trust':
        return Operation.changeTrust({ asset: issued, limit: wholeUnits(10n ** 13n + BigInt(step.amount)) })
    }
  }
  return (step: Step): void => {
    try {
      assetIssuer.run([keyAt(step.actor), ISSUER_KEY], [operationOf(step), bumpNothing])
    } catch (error) {
      assert.match(String(error), /Error: the (sandbox's transaction failed|ledger refuses)/)
    }
  }
}

/** A transaction that needs the issuer's signature and changes nothing. */
const bumpNothing = Operation.bumpSequence({ bumpTo: '0', source: ISSUER_KEY.address })

/** Balances by party and asset, from the ledger's entries, without fees. */
const holdingsIn = (ledger: SimulatedStellar): ReadonlyMap<string, bigint> => {
  const holdings = new Map<string, bigint>()
  for (const key of ledger.keys()) {
    const entry = ledger.find(key)?.entry
    if (entry?.kind === 'account') holdings.set(`${entry.address} native`, entry.balance)
    if (entry?.kind === 'trustline') holdings.set(`${entry.account} ${entry.asset}`, entry.balance)
    if (entry?.kind === 'claimable') holdings.set(`${entry.balanceId} ${entry.asset}`, entry.amount)
  }
  return holdings
}

const amountIn = (value: unknown): bigint => {
  const amount = typeof value === 'object' && value !== null && 'amount' in value ? value.amount : value
  assert.ok(typeof amount === 'bigint')
  return amount
}

/** The name of an event's party in `holdingsIn`. */
const partyOf = (party: unknown): string =>
  typeof party === 'string' && party.startsWith('B')
    ? Buffer.from(StrKey.decodeClaimableBalance(party)).subarray(1).toString('hex')
    : String(party)

/** Applies a ledger's events to balances. */
const replay = (holdings: Map<string, bigint>, ledger: SimulatedStellar): void => {
  const add = (party: unknown, asset: unknown, amount: bigint): void => {
    const key = `${partyOf(party)} ${asset}`
    holdings.set(key, (holdings.get(key) ?? 0n) + amount)
  }
  for (const { topics, value } of ledger.history.latest().events) {
    const [kind, ...rest] = topics.map((topic): unknown =>
      scValToNative(codec.ScVal.fromXdr(topic, 'base64')),
    )
    const amount = amountIn(scValToNative(codec.ScVal.fromXdr(value, 'base64')))
    if (kind === 'fee') add(rest[0], NATIVE, -amount)
    if (kind === 'transfer') {
      add(rest[0], rest[2], -amount)
      add(rest[1], rest[2], amount)
    }
    if (kind === 'mint') add(rest[0], rest[1], amount)
    if (kind === 'burn') add(rest[0], rest[1], -amount)
  }
}

const withoutZeros = (holdings: ReadonlyMap<string, bigint>) =>
  new Map(
    [...holdings].filter(([, amount]) => amount !== 0n).sort(([one], [other]) => (one < other ? -1 : 1)),
  )

/** Checks the invariants of every entry. */
const checkEntries = (ledger: SimulatedStellar): void => {
  const entries = [...ledger.keys()].flatMap((key) => ledger.find(key)?.entry ?? [])
  for (const entry of entries) {
    if (entry.kind === 'trustline')
      assert.ok(entry.balance >= entry.selling && entry.balance + entry.buying <= entry.limit)
    if (entry.kind !== 'account') continue
    const offers = entries.flatMap((one) =>
      one.kind === 'offer' && one.seller === entry.address ? [one] : [],
    )
    const lines = entries.filter((one) => one.kind === 'trustline' && one.account === entry.address)
    assert.equal(entry.subentries, offers.length + lines.length)
    assert.ok(availableBalance(entry) >= 0n)
    const selling = offers.filter((offer) => offer.selling === NATIVE)
    assert.equal(
      entry.selling,
      selling.reduce((sum, { price, amount }) => sum + liabilitiesOf(price, amount).selling, 0n),
    )
  }
}

test('random trades conserve every asset, and the events alone give every balance', () => {
  const networkPassphrase = 'A test of the ledger'
  fc.assert(
    fc.property(fc.array(arbitraryStep, { minLength: 10, maxLength: 30 }), (steps) => {
      const ledger = createSimulatedStellar({
        networkPassphrase,
        genesis: genesisEntries(),
        retainedLedgers: 2,
        now: () => 0,
      })
      const take = createTraders(ledger, createAssetIssuer(ledger, networkPassphrase))
      const told = new Map(holdingsIn(ledger))
      for (const step of steps) {
        const { sequence } = ledger.history.latest()
        take(step)
        if (ledger.history.latest().sequence > sequence) replay(told, ledger)
        const held = holdingsIn(ledger)
        assert.deepEqual(withoutZeros(held), withoutZeros(told))
        checkEntries(ledger)
        const lumens = [...held].reduce(
          (sum, [key, amount]) => (key.endsWith(' native') ? sum + amount : sum),
          0n,
        )
        assert.equal(lumens + ledger.history.latest().header.feePool, TOTAL_STROOPS)
      }
    }),
    { numRuns: 15 },
  )
})

test('a trade rounds in favour of the offer that stays, and is exact on the named side', () => {
  const most = MAX_INT64
  const trade = (n: number, d: number, bounds: Partial<TradeBounds>, rounding: Rounding) => {
    const all = { offerSends: most, offerReceives: most, takerSends: most, takerReceives: most, ...bounds }
    const { received, sent, offerStays } = crossOffer({ n, d }, all, rounding)
    return [received, sent, offerStays]
  }
  assert.deepEqual(trade(3, 2, { offerSends: 100n, takerSends: 5n }, 'normal'), [3n, 5n, true])
  assert.deepEqual(trade(2, 3, { offerSends: 100n, takerSends: 5n }, 'normal'), [7n, 5n, true])
  assert.deepEqual(trade(3, 2, { offerSends: 3n, takerSends: 100n }, 'normal'), [3n, 4n, false])
  assert.deepEqual(trade(2, 3, { offerSends: 7n, takerSends: 100n }, 'normal'), [6n, 4n, false])
  assert.deepEqual(trade(3, 2, { offerSends: 100n, takerSends: 5n }, 'strictSend'), [3n, 5n, true])
  assert.deepEqual(trade(2, 3, { offerSends: 100n, takerReceives: 7n }, 'strictReceive'), [7n, 5n, true])
  assert.deepEqual(trade(1, 1, { offerSends: 4n, takerSends: 4n }, 'normal'), [4n, 4n, false])
})
