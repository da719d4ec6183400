import { Opening, OpeningAnswer, OpeningMethod, OpeningReason, OpeningState, TypedData } from '@openrfq/sdk'
import { OpeningRequest } from '../../core/opening.ts'
import { inner, listMeaning, objectMeaning } from './meaning.ts'

/** The openings of orders by the operator. */
export const OPENING_MEANINGS = {
  Opening: objectMeaning(Opening, 'A way to have an order opened.', {
    method: 'The method, as the request names it.',
    typedData: 'What the sender signs, each with `eth_signTypedData_v4`, in this order.',
  }),
  TypedData: objectMeaning(TypedData, 'Typed data of EIP-712; whole numbers of 256 bits are decimal text.', {
    domain: 'The domain that the signature holds in.',
    types: 'The types by name, that of the domain included.',
    primaryType: 'The type of the message.',
    message:
      "What is signed. The message of a `Permit` has no `nonce`: add what the token's `nonces(owner)` answers.",
  }),
  TypedDataMember: objectMeaning(inner(TypedData.shape.types), 'A member of a type of EIP-712.', {
    name: 'Its name.',
    type: 'Its type, such as `uint256`.',
  }),
  OpeningMethod: listMeaning(OpeningMethod, 'How a sender lets the operator open its order.', {
    allowance: 'It signs the order, and has allowed the settler to spend the input before.',
    erc3009: "It signs the token's `ReceiveWithAuthorization`.",
    permit2: 'It signs a transfer of Permit2, which it has allowed to spend the input before.',
    erc2612: "It signs the token's `Permit`, and the order.",
  }),
  OpeningRequest: objectMeaning(
    OpeningRequest,
    "A quote and its sender's signatures. Unknown fields are rejected.",
    {
      quoteId: 'The `quoteId` of an `intent` quote.',
      method: "The `method` of one of the quote's `metadata.openings`.",
      signatures:
        "A signature of each of that opening's `typedData`, in order: 65 bytes of a key, or what the sender's contract accepts.",
    },
  ),
  OpeningAnswer: objectMeaning(OpeningAnswer, 'Where the opening of an order stands.', {
    quoteId: 'The quote.',
    swapId: "The order's id on the source chain.",
    state: 'What was done.',
    txHash: 'The transaction that opens the order; null when it was declined.',
    reason: 'Why it was declined; else null.',
  }),
  OpeningState: listMeaning(OpeningState, 'Where an opening stands.', {
    submitted: 'Its transaction is signed and sent; the status of the transfer follows as usual.',
    opened: 'The transaction succeeded, and is final.',
    failed: 'The transaction reverted or can never be mined. Nothing has moved; ask for a new quote.',
    declined: 'Nothing was signed. The actions of the quote can still be executed.',
  }),
  OpeningReason: listMeaning(OpeningReason, 'Why an opening was declined.', {
    would_fail:
      'It reverts now: the sender lacks the input or the allowance, or its account does not accept the signature.',
    not_backed: 'The sender has not held the input for some blocks.',
    too_expensive: 'Gas costs more now than the operator pays.',
    unavailable: "The chain cannot be read, or the operator's account is empty.",
  }),
}
