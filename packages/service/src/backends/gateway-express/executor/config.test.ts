import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ConfigError } from '../../../core/config-error.ts'
import { addressOfKey } from '../../../transactions/signer.ts'
import { readExecutorConfig } from './config.ts'

const page = readFileSync(join(import.meta.dirname, '../../../../../../docs/running-an-executor.md'), 'utf8')
const example: Record<string, unknown> = JSON.parse(/```json executor\n([\s\S]*?)```/.exec(page)?.[1] ?? '')
const KEY = `0x${'11'.repeat(32)}` as const
const TOKEN = '0xfaB550568C688d5D8A52C7d794cb93Edc26eC0eC'
const CONTRACT = `0x${'22'.repeat(20)}`

const chain = (express: Record<string, unknown> = {}, changes: Record<string, unknown> = {}) => ({
  ...{ chainId: 'eip155:43114', chainLabel: 'Avalanche', chainType: 'evm', finality: 'finalized' },
  nativeToken: { symbol: 'AVAX', decimals: 18 },
  rpcUrls: ['https://rpc-one.example', 'https://rpc-two.example'],
  axelar: {
    ...{ name: 'Avalanche', gateway: CONTRACT, gasService: CONTRACT },
    ...{ finalitySeconds: 5, executeGasLimit: 700_000 },
  },
  express: { router: CONTRACT, returnGasCap: '1', executor: 'own', ...express },
  ...changes,
})
const token = (gateway: Record<string, unknown> = { expressCap: '1000000000' }) => ({
  ...{
    chainId: 'eip155:43114',
    address: TOKEN,
    symbol: 'axlUSDC',
    name: 'USDC',
    decimals: 6,
    verified: true,
  },
  gateway: { denom: 'uusdc', symbol: 'axlUSDC', ...gateway },
})
const network = (chains: readonly unknown[] = [chain()], tokens: readonly unknown[] = [token()]) => ({
  ...{ chains, tokens },
  axelar: { scanUrl: 'https://scan.example', lcdUrl: 'https://lcd.example', hubAddress: 'axelar1hub' },
})
const read = (changes: Record<string, unknown> = {}, key: string | undefined = KEY) =>
  readExecutorConfig(JSON.stringify({ ...example, network: network(), ...changes }), key)
const stock = (changes: Record<string, unknown>) => ({
  inventory: [{ ...Object(Array.isArray(example['inventory']) && example['inventory'][0]), ...changes }],
})

test('the example of the documentation is valid with a network and a key', () => {
  const config = read()
  assert.equal(config.dailyDeliveries, 1_000)
  assert.equal(config.privateKey, KEY)
  assert.equal(
    read({ network: network([chain({ priority: { executor: addressOfKey(KEY), seconds: 9 } })]) }).inventory
      .length,
    1,
  )
})

const MISTAKES: Readonly<Record<string, readonly [() => unknown, RegExp]>> = {
  'no key': [() => read({}, 'x'), /no private key in RFQ_EXECUTOR_KEY/],
  'no JSON': [() => readExecutorConfig('{"privateKey"', KEY), /is not JSON/],
  'an unknown member': [() => read({ inventories: [] }), /Unrecognized key/],
  'no inventory': [() => read({ inventory: [] }), /inventory/],
  'no Axelar': [() => read({ network: { ...network(), axelar: undefined } }), /network.axelar: missing/],
  'a chain that it does not serve': [
    () => read({ network: network([chain({ executor: 'axelar' })]) }),
    /executor is own/,
  ],
  'the priority of another account': [
    () => read({ network: network([chain({ priority: { executor: CONTRACT, seconds: 9 } })]) }),
    /priority names 0x22/,
  ],
  'a token without a cap': [() => read({ network: network([chain()], [token({})]) }), /expressCap on/],
  'less than quotes tell': [() => read(stock({ maximumAmount: '999999999' })), /below gateway.expressCap/],
  'bounds in the wrong order': [() => read(stock({ dailyAmount: '5' })), /<= maximumAmount <= dailyAmount/],
  'a token twice': [
    () => read({ inventory: [...Object(example['inventory']), ...Object(example['inventory'])] }),
    /listed twice/,
  ],
  'no bound of gas': [() => read({ gas: {} }), /gas.eip155:43114: missing/],
  'one endpoint': [
    () => read({ network: network([chain({}, { rpcUrls: ['https://rpc-one.example'] })]) }),
    /has one RPC endpoint/,
  ],
}
for (const [what, [attempt, message]] of Object.entries(MISTAKES))
  test(`a configuration with ${what} is refused by name, without the key`, () =>
    assert.throws(attempt, (error: unknown) => {
      assert.ok(error instanceof ConfigError)
      assert.match(error.message, message)
      assert.equal(error.message.includes(KEY.slice(2)), false)
      return true
    }))
