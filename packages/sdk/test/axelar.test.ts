import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { axelarMainnet } from '../src/axelar/index.ts'
import { checkAsset, checkAxelarChain } from '../src/guard/bridge.ts'
import type { Guarded } from '../src/index.ts'
import { axelarFiles } from './axelar-files.ts'
import { recorded } from './recorded-quotes.ts'

test('the SDK knows the Axelar networks of the network files; `npm run axelar` writes them', () => {
  for (const { path, text } of axelarFiles()) assert.equal(readFileSync(path, 'utf8'), text, path)
})

const USDC_ID = '0xaab70a74fae5d4d70134970cc0a7a03ff70bfffd5891f79d2f4daf1b5fade846'
const [ETHEREUM, MONAD] = ['eip155:1', 'eip155:143']
const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const USDC_ON_MONAD = '0xa16148c6Ac9EDe0D82f0c52899e22a575284f131'

/** A quote of an interchain token from Ethereum to Monad with Axelar's mainnet as guards. */
const mainnet = (outputToken: string): Guarded => {
  const { quote, request, ...rest } = recorded('evm', 'its')
  const input = { ...quote.input, chain: ETHEREUM, token: USDC }
  const output = { ...quote.output, chain: MONAD, token: outputToken }
  const ends = { fromChain: ETHEREUM, fromToken: USDC, toChain: MONAD, toToken: outputToken }
  return {
    ...rest,
    quote: { ...quote, input, output },
    request: { ...request, ...ends },
    guards: axelarMainnet,
    lacks: (missing) => assert.fail(missing),
  }
}

test("Axelar's mainnet says which chain a name is and what an interchain token id stands for", () => {
  const refuse = (guard: string): never => assert.fail(guard)
  assert.ok(Object.keys(axelarMainnet.bridge).length > 20)
  assert.equal(axelarMainnet.bridge[ETHEREUM]?.its, '0xB5FB4BE02232B1bBA4dC8f81dc24C26980dE9e3C')
  const guarded = mainnet(USDC_ON_MONAD)
  checkAxelarChain(guarded, 'monad', refuse)
  checkAsset(guarded, USDC_ID, refuse)
  assert.throws(() => checkAxelarChain(guarded, 'base', refuse), /call_chain/)
  const other = `0x${'ab'.repeat(32)}`
  assert.throws(() => checkAsset(guarded, other, refuse), /token_id/)
})
