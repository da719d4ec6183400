import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withNodes } from '../../../test/json-rpc-node.ts'
import { addressWord } from '../../chains/evm/abi-words.ts'
import { foldedName } from '../../protocols/axelar/folded-name.ts'
import { createRouterChecks } from './router-facts.ts'

const address = (digit: string): string => `0x${digit.repeat(40)}`
const ROUTER = address('f')
/** What the network file says of a router and its chain. */
const SAID = {
  gateway: address('1'),
  gasService: address('2'),
  axelarName: 'Avalanche',
  exchange: { factory: address('3'), wrappedNative: address('4') },
}
/** What the router says, by the selector it is asked with. Source: router/ExpressRouter.sol. */
const TRUE: Readonly<Record<string, string>> = {
  '0x116191b6': `0x${addressWord(SAID.gateway)}`,
  '0x6a22d8cc': `0x${addressWord(SAID.gasService)}`,
  '0x1c93b03a': foldedName(SAID.axelarName),
  '0x7944f944': `0x${addressWord(SAID.exchange.factory)}`,
  '0xeb6d3a11': `0x${addressWord(SAID.exchange.wrappedNative)}`,
}
const OTHER = `0x${addressWord(address('9'))}`

/** An endpoint at which a router says this. */
const saying = (facts: Readonly<Record<string, string>>) => ({
  answer: ({ method, params: [call] }: { readonly method: string; readonly params: readonly unknown[] }) => {
    const text = JSON.stringify(call) ?? ''
    const selector = Object.keys(TRUE).find((one) => text.includes(one))
    return method === 'eth_call' && selector !== undefined ? { result: facts[selector] ?? '0x' } : undefined
  },
})

/** Whether a router confirms the network file by these endpoints: as read, and as remembered. */
const checked = async (endpoints: readonly ReturnType<typeof saying>[]) => {
  let answers: readonly unknown[] = []
  await withNodes(endpoints, async ({ chain }) => {
    const side = { ...SAID, router: ROUTER, evm: chain }
    const checks = createRouterChecks<typeof side>({ now: Date.now, log: () => undefined })
    await checks.start()
    answers = [await checks.read(side), checks.of(side)]
    await checks.stop()
  })
  return answers
}

test('a router whose answers equal the network file confirms it', async () => {
  assert.deepEqual(await checked(Array(3).fill(saying(TRUE))), [true, true])
})

for (const selector of Object.keys(TRUE))
  test(`a router whose answer to ${selector} differs or is empty does not confirm the network file`, async () => {
    for (const said of [OTHER, '0x'])
      assert.deepEqual(await checked(Array(3).fill(saying({ ...TRUE, [selector]: said }))), [false, false])
  })

test('one endpoint can neither pass a false router off as true nor stop a true one', async () => {
  const [honest, liar] = [saying(TRUE), saying({ ...TRUE, '0x116191b6': OTHER })]
  assert.deepEqual(await checked([liar, honest, honest]), [true, true])
  assert.deepEqual(await checked([honest, liar, liar]), [false, false])
})

test('endpoints that agree on nothing leave it unknown, and nothing is quoted', async () => {
  const answers = ['1', '2', '3'].map((digit) =>
    saying({ ...TRUE, '0x116191b6': `0x${addressWord(address(digit))}` }),
  )
  assert.deepEqual(await checked(answers), [undefined, undefined])
})

test("where nothing is swapped, a router's exchange is not asked about", async () => {
  const elsewhere = { ...TRUE, '0x7944f944': OTHER, '0xeb6d3a11': OTHER }
  const without = async (facts: Readonly<Record<string, string>>) => {
    let answer: unknown
    await withNodes(Array(3).fill(saying(facts)), async ({ chain }) => {
      const side = { ...SAID, exchange: undefined, router: ROUTER, evm: chain }
      answer = await createRouterChecks<typeof side>({ now: Date.now, log: () => undefined }).read(side)
    })
    return answer
  }
  assert.equal(await without(elsewhere), true)
  assert.equal(await without({ ...elsewhere, '0x116191b6': OTHER }), false)
})
