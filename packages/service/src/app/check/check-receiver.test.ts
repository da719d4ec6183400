import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BackendWorld, startBackendWorld } from '../../../test/backend-world.ts'
import type { Network, NetworkToken } from '../../core/network.ts'
import { checkReceiver } from './check-receiver.ts'

let world: BackendWorld
before(async () => {
  world = await startBackendWorld({ withPaymentChains: true })
})
after(() => world.stop())

type Family = 'solana' | 'stellar'
type Change = {
  readonly receiver?: Partial<NonNullable<Network['chains'][number]['tokenReceiver']>>
  readonly token?: Partial<NetworkToken>
  readonly evmName?: string
  readonly hubAddress?: string
}

/** What the check says of a family's chain after changes of the network file. */
const look = async (family: Family, change: Change = {}): Promise<readonly string[]> => {
  const { network, paymentChains } = world.deps
  const { receiver, token, evmName, hubAddress } = change
  const chains = network.chains.map((one) => ({
    ...one,
    ...(one.tokenReceiver !== undefined && one.chainType === family
      ? { tokenReceiver: { ...one.tokenReceiver, ...receiver } }
      : {}),
    ...(one.axelar === undefined || evmName === undefined
      ? {}
      : { axelar: { ...one.axelar, name: evmName } }),
  }))
  const chain = chains.find(({ chainType }) => chainType === family)
  const connected = paymentChains.get(chain?.chainId ?? '')
  assert.ok(chain !== undefined && connected !== undefined && network.axelar !== undefined)
  const tokens = network.tokens.map((one) =>
    one.chainId === chain.chainId && one.its !== undefined ? { ...one, ...token } : one,
  )
  const axelar = { ...network.axelar, ...(hubAddress === undefined ? {} : { hubAddress }) }
  return (await checkReceiver(connected, chain, { ...network, chains, tokens, axelar })).map(
    ({ level, subject, says }) => `${level} ${subject}: ${says}`,
  )
}

for (const family of ['solana', 'stellar'] as const)
  test(`a true file of ${family} has no errors`, async () => {
    const lines = (await look(family)).join('\n')
    assert.doesNotMatch(lines, /^(error|warning) /m)
    assert.match(lines, /^ok chain \S+ tokenReceiver: its trusts [1-9] chains$/m)
    assert.match(lines, /^ok chain \S+ tokens: 1 of 1 interchain tokens are as the file says$/m)
  })

const SOLANA_NOBODY = 'GrDMoeqMLFjeXQ24H56S1RLgT4R76jsuWCd6SvXyGPQ5'
const STELLAR_NOBODY = 'CAS3J7GYLGXMF6TDJBBYYSE3HQ6BBSMLNUQ34T6TZMYMW2EVH34XOWMA'
const OTHER_ID = `0x${'7'.repeat(64)}`

for (const [family, lie, change, error] of [
  [
    'solana',
    'a token service',
    { receiver: { its: SOLANA_NOBODY } },
    /its: Gr\w+ keeps no state of a token service/,
  ],
  [
    'solana',
    'a gateway',
    { receiver: { gateway: SOLANA_NOBODY } },
    /gateway: Gr\w+ is no program of this chain/,
  ],
  ['solana', 'a hub', { hubAddress: 'axelar1other' }, /its has the hub \S+, not axelar1other: correct/],
  ['solana', 'a chain name', { evmName: 'nowhere' }, /its does not trust nowhere/],
  ['solana', 'decimals', { token: { decimals: 3 } }, /^error token .*: decimals: it has 6, not 3/m],
  ['solana', 'a program', { token: { splProgram: 'token-2022' } }, /it is no mint of Tokenz\w+: correct/],
  [
    'solana',
    'a token id',
    { token: { its: { tokenId: OTHER_ID } } },
    /its\.tokenId: its manager has no such token/,
  ],
  ['stellar', 'a token service', { receiver: { its: STELLAR_NOBODY } }, /its: CAS\w+ is no token service/],
  ['stellar', 'a chain name', { evmName: 'nowhere' }, /its does not trust nowhere/],
  ['stellar', 'decimals', { token: { decimals: 3 } }, /^error token .*: decimals: it has 7, not 3/m],
  [
    'stellar',
    'a token id',
    { token: { its: { tokenId: OTHER_ID } } },
    /its\.tokenId: it is not the id of this token/,
  ],
  ['stellar', 'no issuer', { token: { stellar: undefined } }, /it is a classic asset: name code and issuer/],
] as const)
  test(`an error of ${family} names ${lie} that the chain does not have`, async () => {
    assert.match((await look(family, change)).filter((line) => line.startsWith('error ')).join('\n'), error)
  })
