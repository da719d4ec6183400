import assert from 'node:assert/strict'
import { test } from 'node:test'
import { registrySources } from '../../test/registry-sources.ts'
import { type AxelarChain, AxelarConfig, type ScanChain, type Sources } from './sources.ts'
import { syncNetwork } from './sync-network.ts'

const NONE: ReadonlySet<string> = new Set()
const real = await registrySources('mainnet')
const ethereum = Object.values(real.config.chains).find(({ axelarId }) => axelarId === 'Ethereum')
const scanned = real.chains.evm['ethereum']
assert.ok(ethereum !== undefined && scanned !== undefined)

/** The sources with another entry of Ethereum in Axelar's configuration and at Axelarscan, and with further chains. */
const lie = ({
  chain = {},
  scan = {},
  more = {},
}: {
  readonly chain?: Partial<AxelarChain>
  readonly scan?: Partial<ScanChain>
  readonly more?: Readonly<Record<string, AxelarChain>>
}): Sources => ({
  ...real,
  config: {
    ...real.config,
    chains: { ...real.config.chains, ethereum: { ...ethereum, ...chain }, ...more },
  },
  chains: { ...real.chains, evm: { ...real.chains.evm, ethereum: { ...scanned, ...scan } } },
})
const syncedOf = (sources: Sources, chainId = 'eip155:1') => {
  const { file, leftOut } = syncNetwork(sources, NONE)
  return { chain: file.chains.find((one) => one.chainId === chainId), leftOut }
}

test("an endpoint in the operator's own network, or that is no https address, is not taken", () => {
  const places = [
    ...['http://169.254.169.254/latest', 'http://127.0.0.1:8545', 'https://localhost', 'https://10.0.0.1'],
    ...[
      'https://[::1]',
      'https://vault.internal',
      'http://rpc.example',
      'file:///etc/passwd',
      'javascript:1',
    ],
    ...['https://user:word@rpc.example', 'https://router', 'https://rpc.example/\u202e'],
  ]
  const good = 'https://rpc.good.example'
  const { chain } = syncedOf(lie({ scan: { endpoints: { rpc: [...places, good] } } }))
  assert.ok(chain?.rpcUrls.includes(good))
  assert.deepEqual(
    chain?.rpcUrls.filter((url) => places.includes(url)),
    [],
  )
  for (const rpc of places) assert.ok(!syncedOf(lie({ chain: { rpc } })).chain?.rpcUrls.includes(rpc), rpc)
})

test("servers of Axelar in the operator's own network are refused with their place", () => {
  for (const place of ['http://10.0.0.1', 'https://localhost:1317', 'javascript:alert(1)'])
    for (const member of ['lcd', 'axelarscanApi']) {
      const parsed = AxelarConfig.safeParse({
        ...real.config,
        axelar: { ...real.config.axelar, [member]: place },
      })
      assert.deepEqual(parsed.error?.issues[0]?.path, ['axelar', member])
    }
})

test("a picture's path that names another host is left out, and so is an explorer of the operator's network", () => {
  for (const image of ['@evil.example/a.svg', '.evil.example/a.svg', ':8080/a.svg', 'javascript:1', '/a b"'])
    assert.equal(syncedOf(lie({ scan: { image } })).chain?.logoUrl, undefined, image)
  assert.equal(syncedOf(lie({})).chain?.logoUrl, 'https://axelarscan.io/logos/chains/ethereum.svg')
  const url = 'http://127.0.0.1:9/'
  const { chain } = syncedOf(lie({ chain: { explorer: { url } }, scan: { explorer: { url } } }))
  assert.equal(chain?.explorerUrl, undefined)
})

test('a chain whose name is not shown as written, or is that of another, is left out and stops nothing', () => {
  for (const name of ['Ether\u202eeum', 'A\nB', 'x'.repeat(101)]) {
    const { chain, leftOut } = syncedOf(lie({ chain: { name } }))
    assert.equal(chain, undefined)
    assert.ok(leftOut.some(({ reason }) => reason.startsWith('a name or symbol is too long')))
  }
  const twin = { ...ethereum, axelarId: 'ETHEREUM', chainId: 4_242 }
  const hub = { ...ethereum, axelarId: 'axelar', chainId: 4_243 }
  const { chain, leftOut } = syncedOf(lie({ more: { twin, hub } }), 'eip155:4242')
  assert.equal(chain, undefined)
  assert.deepEqual(
    leftOut.filter(({ reason }) => reason === 'another chain has its name').map(({ entry }) => entry),
    ['chain Ethereum', 'chain ETHEREUM', 'chain axelar'],
  )
})
