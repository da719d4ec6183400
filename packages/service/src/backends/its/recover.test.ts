import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCatalog } from '../../chains/catalog.ts'
import { encodeBase58 } from '../../chains/solana/base58.ts'
import { baseUnits } from '../../core/amount.ts'
import { Network } from '../../core/network.ts'
import type { QuoteRecord } from '../../core/quote-record.ts'
import { toGmpMessage } from '../../protocols/axelar/gmp-message.ts'
import { addGasInstruction, sendingPlaces, sentEvent } from '../../protocols/axelar/its-solana.ts'
import { itsRecoveries } from './recover.ts'

const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const [GATEWAY, GAS_SERVICE, ITS] = [
  'gtwqvLL93XK7pC2eMvfGamqokvs19AytzaVhrL2iKiz',
  'gaszjG8797GGm8oACCzH2KLLifGp2nugKkLwaecwBjT',
  'itsAUdHnV2K99ppbM6d6WUDac8MD54RAE7dUKHnw1Eg',
]
const SENDER = 'Vote111111111111111111111111111111111111111'
const STRANGER = 'Stake11111111111111111111111111111111111111'
const TX = encodeBase58(Buffer.alloc(64, 7))
const RECIPIENT = `0x${'b'.repeat(40)}`
const TOKEN_ID = `0x${'7'.repeat(64)}`

const quote: QuoteRecord = {
  quoteId: 'quote_00000000000000000000000001',
  backend: 'its',
  backendName: 'Interchain Token Service',
  createdAt: 1_000_000_000,
  quoteExpiresAt: 1_000_060_000,
  estimatedTimeSeconds: 90,
  orderType: 'EXACT_INPUT',
  fromChain: SOLANA,
  fromToken: STRANGER,
  toChain: 'eip155:1',
  toToken: `0x${'2'.repeat(40)}`,
  sender: SENDER,
  recipient: RECIPIENT,
  input: baseUnits(1_000n),
  output: baseUnits(1_000n),
  minimumOutput: baseUnits(1_000n),
  binding: {
    tokenId: TOKEN_ID,
    sourceAxelarChain: 'solana',
    sourceGateway: GATEWAY,
    sourceIts: ITS,
    destinationAxelarChain: 'Ethereum',
    destinationIts: ITS,
    hubChain: 'axelar',
    hubAddress: 'axelar1hub',
    gasValue: '5',
  },
}

const network = Network.parse({
  chains: [
    {
      chainId: SOLANA,
      chainLabel: 'Solana',
      chainType: 'solana',
      nativeToken: { symbol: 'SOL', decimals: 9 },
      rpcUrls: ['http://127.0.0.1:1'],
      finality: 'finalized',
      tokenReceiver: {
        name: 'solana',
        gateway: GATEWAY,
        its: ITS,
        gasService: GAS_SERVICE,
        executeGasLimit: 700_000,
      },
    },
  ],
  tokens: [],
})

const recoveriesOf = (gasStatus: string, fee: bigint | undefined) => {
  const event = sentEvent(
    { tokenId: TOKEN_ID, destinationChain: 'Ethereum', sender: SENDER, recipient: RECIPIENT, amount: 1_000n },
    { chain: 'axelar', address: 'axelar1hub' },
    ITS,
  )
  return itsRecoveries(
    {
      catalog: createCatalog(network),
      evmChains: new Map(),
      paymentChains: new Map([
        [
          SOLANA,
          {
            programs: {
              seenAccounts: async () => [],
              agreedAccounts: async () => [],
              findCalls: async () => ({ calls: [], isWhole: true }),
              eventsIn: async () => ({
                succeeded: true,
                timestampSeconds: 1_000_010,
                signers: [SENDER],
                instructions: [],
                events: [{ place: '2.1', data: event }],
                gains: [],
              }),
              signInstructions: () => Promise.reject(new Error('unused')),
            },
          },
        ],
      ]),
      deliveryConfirmations: () => undefined,
      hub: undefined,
      gasFees: { transferFee: async () => (fee === undefined ? undefined : baseUnits(fee)) },
      axelarscan: {
        findMessage: async (message_id) =>
          toGmpMessage({ message_id, status: 'called', gas_status: gasStatus }),
      },
      log: () => undefined,
    },
    quote,
    { messageId: `${TX}-2.1`, sourceChain: SOLANA },
  )
}

test('any account may pay for the relay of a message from Solana that lacks gas', async () => {
  const [recovery, ...others] = await recoveriesOf('gas_unpaid', 500n)
  assert.ok(recovery !== undefined && others.length === 0)
  const { kind, chainId, leadsTo, value, by } = recovery
  assert.deepEqual([kind, chainId, leadsTo, value, by], ['add_gas', SOLANA, 'DONE', 500n, undefined])
  assert.deepEqual(recovery.payloadBy(STRANGER), {
    type: 'solana_instructions',
    instructions: [
      addGasInstruction(
        { payer: STRANGER, messageId: `${TX}-2.1`, amount: 500n },
        sendingPlaces(GATEWAY, GAS_SERVICE, ITS),
      ),
    ],
    addressLookupTableAddresses: [],
  })
})

test('a message from Solana that has its gas, or whose relay has no known price, needs no payment', async () => {
  assert.deepEqual(await recoveriesOf('gas_paid_enough_gas', 500n), [])
  assert.deepEqual(await recoveriesOf('gas_unpaid', undefined), [])
})
