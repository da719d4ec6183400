import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Chain, openChain } from '@openrfq/sandbox/test/chain-calls.ts'
import { createDeploy } from '@openrfq/sandbox/test/contract-deployer.ts'
import fc from 'fast-check'
import { type PrivateAnvil, startAnvil } from 'openrfq/test/private-anvil.ts'
import { bytesToHex, type Hex, parseAbi, stringToBytes } from 'viem'
import { compileSources, readSources } from '../../compile.ts'

const FILE = 'factory/Texts.sol'
const HARNESS = `// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;
import {foldChainName, isFolded} from "./ChainName.sol";
import {OwnAddress} from "./OwnAddress.sol";
contract Texts is OwnAddress {
    function fold(bytes calldata name) external pure returns (bytes32) { return foldChainName(string(name)); }
    function folded(bytes32 name) external pure returns (bool) { return isFolded(name); }
    function own(bytes calldata text) external view returns (bool) { return _isOwnAddress(string(text)); }
    function ownText() external view returns (string memory) { return _ownAddress(); }
}`
const ABI = parseAbi([
  'function fold(bytes) view returns (bytes32)',
  'function folded(bytes32) view returns (bool)',
  'function own(bytes) view returns (bool)',
  'function ownText() view returns (string)',
  'error InvalidChainName(string)',
])
const RUNS = { seed: 1, numRuns: 1000 }
const LONGEST = 20

let anvil: PrivateAnvil
let chain: Chain
let texts: Hex
before(async () => {
  anvil = await startAnvil(31_337, '--auto-impersonate', '--gas-price', '0', '--block-base-fee-per-gas', '0')
  chain = openChain(31_337, anvil, ABI)
  const sources = Object.entries(readSources()).filter(([path]) => path.startsWith('factory/'))
  const all = { ...Object.fromEntries(sources), [FILE]: { content: HARNESS } }
  const code = compileSources(all, true, FILE)[FILE]?.['Texts']?.evm.bytecode.object
  assert.ok(code)
  texts = await createDeploy(chain, { texts: { abi: ABI, bytecode: `0x${code}` } })('texts')
})
after(() => anvil.stop())

const isPrintable = (byte: number): boolean => byte > 0x20 && byte < 0x80
const lower = (byte: number): number => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte)

/** Bytes around the borders of letters, digits, printable characters and ASCII. */
const byte = fc.oneof(
  fc.constantFrom(
    0,
    0x20,
    0x21,
    0x2d,
    0x40,
    0x41,
    0x5a,
    0x5b,
    0x60,
    0x61,
    0x7a,
    0x7b,
    0x7f,
    0x80,
    0xc1,
    0xff,
  ),
  fc.integer({ min: 0x21, max: 0x7e }),
)

test('a name folds to its bytes in lower case when it is 1 to 20 printable ASCII characters, and is refused otherwise', async () => {
  const names = fc.oneof(
    fc.array(fc.integer({ min: 0x21, max: 0x7f }), { maxLength: LONGEST + 2 }),
    fc.array(byte, { maxLength: LONGEST + 2 }),
  )
  await fc.assert(
    fc.asyncProperty(names, async (name) => {
      const text = bytesToHex(Uint8Array.from(name))
      const data = chain.encode('fold', [text])
      const refusal = await chain.refusal({ from: texts, to: texts, data })
      const isName = name.length > 0 && name.length <= LONGEST && name.every(isPrintable)
      assert.equal(refusal, isName ? undefined : 'InvalidChainName', text)
      if (!isName) return
      const folded = bytesToHex(Uint8Array.from({ length: 32 }, (_, at) => lower(name[at] ?? 0)))
      assert.equal(await chain.read(texts, 'fold', [text]), folded)
      assert.equal(await chain.read(texts, 'folded', [folded]), true)
    }),
    RUNS,
  )
})

test('a word is folded when it is not zero and has ASCII without capitals alone', async () => {
  const words = fc.oneof(
    fc.array(byte, { minLength: 32, maxLength: 32 }),
    fc.array(fc.constantFrom(0, 0x40, 0x5b, 0x61, 0x7f), { minLength: 32, maxLength: 32 }),
  )
  await fc.assert(
    fc.asyncProperty(words, async (word) => {
      const isFolded = word.some((one) => one !== 0) && word.every((one) => one < 0x80 && lower(one) === one)
      assert.equal(await chain.read(texts, 'folded', [bytesToHex(Uint8Array.from(word))]), isFolded)
    }),
    RUNS,
  )
})

test('a contract knows its own address in any case of the letters, and no text that differs in one byte or in length', async () => {
  const own = stringToBytes(texts.toLowerCase())
  assert.equal(await chain.read(texts, 'ownText', []), texts.toLowerCase())
  const isOwn = (text: Uint8Array) => chain.read(texts, 'own', [bytesToHex(text)])
  await fc.assert(
    fc.asyncProperty(fc.nat(own.length - 1), byte, fc.array(fc.boolean()), async (at, value, capitals) => {
      const text = own.map((one, index) =>
        capitals[index] === true && one >= 0x61 && one <= 0x7a ? one - 0x20 : one,
      )
      assert.equal(await isOwn(text), true)
      const changed = text.map((one, index) => (index === at ? value : one))
      assert.equal(await isOwn(changed), lower(value) === own[at])
      assert.equal(await isOwn(text.slice(0, at)), false)
      assert.equal(await isOwn(Uint8Array.from([...text, value])), false)
    }),
    { ...RUNS, numRuns: 500 },
  )
})
