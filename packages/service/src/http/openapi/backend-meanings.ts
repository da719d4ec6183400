import {
  GatewayBackend,
  GatewayExpressBackend,
  IntentBackend,
  ItsBackend,
  MessageEvent,
  RefundTerms,
  Warning,
  WarningCode,
} from '@openrfq/sdk'
import { inner, listMeaning, objectMeaning, plainMeaning, shapeOf } from './meaning.ts'

const BACKEND = {
  name: 'Human-readable route name.',
  tracking: 'Route-specific identifiers for tracking fulfilment.',
  metadata: 'More about the route: refund terms, price impact, warnings.',
}
const METADATA = {
  priceImpactBps:
    'What the transfer loses against market prices, in basis points without fees; null where a price is missing.',
  refund: 'What happens to the deposit when the transfer cannot be fulfilled.',
  warnings: 'What a user should know before signing; show all of them.',
}
const AXELAR_CHAINS = {
  sourceAxelarChain: "Axelar's name of the source chain.",
  destinationAxelarChain: "Axelar's name of the destination chain.",
}
const TRACKING = {
  messageEvent: 'The event whose position makes the `messageId`, for clients that name one.',
}
const REFUND = { terms: 'The terms in a sentence for people.' }
const [AutomaticRefund, NoAutomaticRefund] = RefundTerms._zod.def.options
const Intent = shapeOf(IntentBackend.shape.metadata)
const Express = shapeOf(GatewayExpressBackend.shape.metadata)

/** The backends of quotes. Source: interface "Backend object". */
export const BACKEND_MEANINGS = {
  IntentBackend: objectMeaning(
    IntentBackend,
    'A route on which a solver pays the recipient from its own inventory.',
    {
      ...BACKEND,
      type: 'Always `intent`.',
    },
  ),
  IntentTracking: objectMeaning(IntentBackend.shape.tracking, 'Identifiers of an intent.', {
    swapId: "The order's id on the source chain, known from quote time on.",
  }),
  IntentMetadata: objectMeaning(IntentBackend.shape.metadata, 'More about an intent.', {
    ...METADATA,
    solver: 'The solver that fills the order.',
    fillDeadline: 'The solver must have paid the recipient by then.',
    refundAfter: 'From then on an order that was not filled is refunded.',
    rent: 'What the sender advances beside the input, and gets back; null where the source chain asks for none.',
    claimableBalance:
      "Another way to deposit on Stellar, without the operator's vault; null where there is none.",
    openings:
      'How the sender may have the order opened without gas of its own, by `POST /v1/rfq/orders`; absent where the operator opens none.',
  }),
  ClaimableBalance: objectMeaning(
    inner(Intent.claimableBalance),
    'A deposit that its sender alone can take back.',
    {
      uri: 'A transaction to sign, as `web+stellar:tx` of SEP-7; its sequence number is to be filled in.',
      terms: 'Who can take the balance and when, as a sentence.',
    },
  ),
  Rent: objectMeaning(inner(Intent.rent), "The rent of the order's accounts on Solana.", {
    chain: 'The source chain.',
    token: 'Its native asset.',
    amount: 'Base units.',
    terms: 'When it comes back, as a sentence.',
  }),
  Solver: objectMeaning(inner(Intent.solver), 'Who fills an order.', {
    name: "The solver's name.",
    address: 'The address that the source chain repays.',
  }),
  ItsBackend: objectMeaning(ItsBackend, "A route over Axelar's Interchain Token Service.", {
    ...BACKEND,
    type: 'Always `its`.',
  }),
  ItsTracking: objectMeaning(ItsBackend.shape.tracking, 'Identifiers of an interchain transfer.', {
    ...TRACKING,
    ...AXELAR_CHAINS,
    tokenId: 'The interchain token, 32 bytes as hex.',
  }),
  MessageEvent: objectMeaning(MessageEvent, 'The event of a source transaction that names a transfer.', {
    address: 'The contract that emits it.',
    topic: 'Its topic 0.',
    rule: 'How the `messageId` is made of it.',
  }),
  ItsMetadata: objectMeaning(ItsBackend.shape.metadata, 'More about an interchain transfer.', {
    ...METADATA,
    hubRouted: "Whether the transfer passes Axelar's hub.",
    tokenManager: 'Contract that holds or mints the token on the source chain.',
    tokenManagerType: "Axelar's name of what that contract does, such as `LOCK_UNLOCK` or `MINT_BURN`.",
    dust: "What is too small for the destination's decimals and does not arrive, in base units of the input token.",
  }),
  GatewayBackend: objectMeaning(
    GatewayBackend,
    "A route over which a token of Axelar's gateway crosses whole; what cannot be delivered comes back.",
    { ...BACKEND, type: 'Always `gateway`.' },
  ),
  GatewayExpressBackend: objectMeaning(
    GatewayExpressBackend,
    'A route that swaps, crosses with a gateway token, and swaps again; an executor may deliver early.',
    { ...BACKEND, type: 'Always `gateway-express`.' },
  ),
  RouterTracking: objectMeaning(
    GatewayExpressBackend.shape.tracking,
    'Identifiers of a transfer by a router.',
    {
      ...TRACKING,
      salt: 'Makes the transfer unique, 32 bytes as hex.',
      symbol: 'Symbol that the source gateway knows the bridge token by.',
      denom: "Axelar's name of the bridge token.",
    },
  ),
  RouterMetadata: objectMeaning(GatewayExpressBackend.shape.metadata, 'More about a transfer by a router.', {
    ...METADATA,
    ...AXELAR_CHAINS,
    bridge: 'The token that crosses.',
    path: 'The pools of both chains in order; none where nothing is swapped.',
    express: 'Whether an executor is expected to deliver before the source is final.',
    estimatedSeconds: 'Estimated time with and without early delivery; equal where there is none.',
  }),
  BridgeToken: objectMeaning(inner(Express.bridge), 'The token that crosses in a transfer by a router.', {
    denom: "Axelar's name of the token.",
    sourceToken: 'Its address on the source chain.',
    destinationToken: 'Its address on the destination chain.',
    amount: 'Expected amount that crosses, in its base units.',
    minimumAmount: 'Least amount that crosses, in its base units; with less the source transaction reverts.',
  }),
  PoolHop: objectMeaning(inner(Express.path), 'A swap in one pool.', {
    chain: 'CAIP-2 identifier.',
    pool: 'Address of the pool.',
    feeMillionths: "The pool's fee in millionths of the amount swapped.",
    tokenIn: 'Address of the token paid.',
    tokenOut: 'Address of the token received.',
  }),
  EstimatedSeconds: objectMeaning(inner(Express.estimatedSeconds), 'Estimated fulfilment times in seconds.', {
    express: 'When an executor delivers early.',
    ordinary: 'When Axelar delivers after finality.',
  }),
  RefundTerms: plainMeaning(
    RefundTerms,
    'What happens to the deposit when the transfer cannot be fulfilled.',
  ),
  AutomaticRefund: objectMeaning(
    AutomaticRefund,
    'The deposit comes back when it cannot be delivered, without a decision of the operator.',
    {
      ...REFUND,
      automatic: 'Always true.',
      keeper:
        'Whether the service submits the refund. Else anybody can, by the actions of `GET /v1/rfq/recovery`; absent where it depends on the route.',
      address: 'Address that the refund goes to.',
      chain: 'CAIP-2 identifier of the chain of the refund.',
      token: 'Token that is refunded.',
      cost: 'What is kept of the refund, in base units of `token`.',
      expectedSeconds: 'Expected time from deposit to refund in seconds.',
      returnGas: 'What carrying the refund back costs somebody else than the user.',
    },
  ),
  ReturnGas: objectMeaning(
    inner(AutomaticRefund.shape.returnGas),
    'Gas of a return that the user does not pay.',
    {
      chain: 'CAIP-2 identifier of the chain the gas is paid on.',
      amount: "Base units of that chain's native asset.",
      paidBy: 'Who pays it.',
    },
  ),
  NoAutomaticRefund: objectMeaning(
    NoAutomaticRefund,
    "No refund: what was sent comes back in no case. A delivery that fails can be tried again by anyone; the token's issuer and Axelar can stop it.",
    {
      ...REFUND,
      automatic: 'Always false.',
      address: 'Always null.',
      chain: 'Always null.',
      token: 'Always null.',
      cost: 'Always null.',
      expectedSeconds: 'Always null.',
    },
  ),
  Warning: objectMeaning(Warning, 'Something a user should know before signing.', {
    code: 'What the warning is about.',
    message: 'The warning in a sentence for people.',
    lossBps:
      'Only with `high_value_loss`: how much less the output is worth than the input and its costs, in basis points.',
  }),
  WarningCode: listMeaning(WarningCode, 'What a warning is about. Codes are stable; new ones may be added.', {
    unverified_token: 'A token of the quote has not been reviewed.',
    high_loss: "More than 15 % of the amount goes into fees, dust or the pools' prices.",
    high_value_loss: 'The output is worth much less than the input and its costs, by USD prices.',
    high_slippage:
      'The minimum output is at least 5 % below the expected one: the swap may be traded against down to it.',
    dust_lost: 'A remainder is too small for the destination token and does not arrive.',
    unreliable_solver:
      'The solver did not fill its last orders of this pair; it is offered because there is no other.',
    ranked_without_prices:
      'A price is missing: quotes are ranked by their amounts alone, without fees and gas.',
    bridged_token:
      'The output is a token that Axelar brought to its chain, and not the asset that goes by its name there.',
  }),
}
