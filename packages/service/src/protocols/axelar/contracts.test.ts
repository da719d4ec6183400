import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type Abi,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  parseAbiParameters,
  toFunctionSelector,
} from 'viem'
import { addressTopic } from '../../chains/evm/abi-words.ts'
import {
  CONTRACT_CALL_TOPIC,
  CONTRACT_CALL_WITH_TOKEN_TOPIC,
  OWNER_DATA,
  tokenAddressesData,
  tokenMintAmountData,
  tokenMintLimitData,
} from './gateway-contract.ts'
import {
  deployedTokenManagerData,
  hubCallData,
  ITS_READS,
  interchainTransferTemplate,
  isTrustedChainData,
  TRANSFER_RECEIVED_TOPIC,
  transferReceivedData,
  trustedAddressData,
} from './its-contract.ts'

type Hex = `0x${string}`

const require = createRequire(import.meta.url)
const abiOf = (artifact: string): Abi =>
  JSON.parse(readFileSync(require.resolve(`@axelar-network/${artifact}`), 'utf8')).abi

const gateway = abiOf('axelar-cgp-solidity/artifacts/contracts/AxelarGateway.sol/AxelarGateway.json')
const its = abiOf(
  'interchain-token-service/artifacts/contracts/InterchainTokenService.sol/InterchainTokenService.json',
)
const manager = abiOf(
  'interchain-token-service/artifacts/contracts/token-manager/TokenManager.sol/TokenManager.json',
)
const managerProxy = abiOf(
  'interchain-token-service/artifacts/contracts/proxies/TokenManagerProxy.sol/TokenManagerProxy.json',
)
const owned = abiOf('axelar-cgp-solidity/artifacts/contracts/Ownable.sol/Ownable.json')

const bytes = (length: number): fc.Arbitrary<Hex> =>
  fc
    .uint8Array({ minLength: length, maxLength: length })
    .map((value): Hex => `0x${Buffer.from(value).toString('hex')}`)
const amount = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const name = fc.string({ minLength: 1, maxLength: 80, unit: 'grapheme' })

test("topics equal those of the contracts' ABIs", () => {
  const topic = (abi: Abi, eventName: string): unknown => encodeEventTopics({ abi, eventName })[0]
  assert.equal(topic(gateway, 'ContractCall'), CONTRACT_CALL_TOPIC)
  assert.equal(topic(gateway, 'ContractCallWithToken'), CONTRACT_CALL_WITH_TOKEN_TOPIC)
  assert.equal(topic(its, 'InterchainTransferReceived'), TRANSFER_RECEIVED_TOPIC)
})

test("read calldata equals viem's encoding", () => {
  const call = (abi: Abi, functionName: string, args: readonly unknown[] = []): string =>
    encodeFunctionData({ abi, functionName, args })
  const id: Hex = `0x${'ab'.repeat(32)}`
  assert.equal(call(its, 'paused'), ITS_READS.paused)
  assert.equal(call(its, 'chainNameHash'), ITS_READS.chainNameHash)
  assert.equal(call(its, 'deployedTokenManager', [id]), deployedTokenManagerData(id))
  assert.equal(call(its, 'isTrustedChain', ['Avalanche']), isTrustedChainData('Avalanche'))
  assert.equal(toFunctionSelector('trustedAddress(string)'), trustedAddressData('x').slice(0, 10))
  assert.equal(
    call(managerProxy, 'getImplementationTypeAndTokenAddress'),
    ITS_READS.implementationTypeAndTokenAddress,
  )
  assert.equal(call(manager, 'flowLimit'), ITS_READS.flowLimit)
  assert.equal(call(manager, 'flowInAmount'), ITS_READS.flowInAmount)
  assert.equal(call(manager, 'flowOutAmount'), ITS_READS.flowOutAmount)
  assert.equal(call(gateway, 'tokenAddresses', ['axlUSDC']), tokenAddressesData('axlUSDC'))
  assert.equal(call(gateway, 'tokenMintLimit', ['axlUSDC']), tokenMintLimitData('axlUSDC'))
  assert.equal(call(gateway, 'tokenMintAmount', ['axlUSDC']), tokenMintAmountData('axlUSDC'))
  assert.equal(call(owned, 'owner'), OWNER_DATA)
})

test("interchainTransfer calldata equals viem's encoding", () => {
  const sixArguments = its.filter(
    (item) => item.type === 'function' && item.name === 'interchainTransfer' && item.inputs.length === 6,
  )
  fc.assert(
    fc.property(
      bytes(32),
      name,
      fc.oneof(bytes(20), bytes(32), bytes(56)),
      amount,
      amount,
      (tokenId, chain, recipient, value, gasValue) => {
        assert.equal(
          interchainTransferTemplate(tokenId, chain)({ recipient, amount: value, gasValue }),
          encodeFunctionData({
            abi: sixArguments,
            functionName: 'interchainTransfer',
            args: [tokenId, chain, recipient, value, '0x', gasValue],
          }),
        )
      },
    ),
  )
})

test("the log data of an interchain transfer equals viem's encoding", () => {
  fc.assert(
    fc.property(bytes(32), name, bytes(20), bytes(20), amount, (tokenId, chain, sender, recipient, value) => {
      const inner = encodeAbiParameters(
        parseAbiParameters('uint256, bytes32, bytes, bytes, uint256, bytes'),
        [0n, tokenId, sender, recipient, value, '0x'],
      )
      const wrapped = encodeAbiParameters(parseAbiParameters('uint256, string, bytes'), [3n, chain, inner])
      assert.equal(
        hubCallData('axelar', 'axelar1hub', {
          tokenId,
          destinationChain: chain,
          sender,
          recipient,
          amount: value,
        }),
        encodeAbiParameters(parseAbiParameters('string, string, bytes'), ['axelar', 'axelar1hub', wrapped]),
      )
      assert.equal(
        transferReceivedData(chain, sender, value),
        encodeAbiParameters(parseAbiParameters('string, bytes, uint256, bytes32'), [
          chain,
          sender,
          value,
          `0x${'00'.repeat(32)}`,
        ]),
      )
      assert.equal(addressTopic(sender), `0x${sender.slice(2).padStart(64, '0')}`)
    }),
  )
})
