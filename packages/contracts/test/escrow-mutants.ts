/** A change of the program's source that a test must notice: a text that occurs once in a file, and what replaces it. */
export type Mutant = {
  readonly name: string
  readonly file: string
  readonly from: string
  readonly to: string
}

const inFile =
  (file: string) =>
  (name: string, from: string, to = ''): Mutant => ({ name, file, from, to })

const call = inFile('call.c')
const order = inFile('order.c')
const tokens = inFile('tokens.c')
const opening = inFile('open.c')
const payout = inFile('payout.c')
const release = inFile('release.c')
const refund = inFile('refund.c')
const closing = inFile('close.c')

export const MUTANTS: readonly Mutant[] = [
  call(
    'more accounts than fit are read',
    'call->account_count <= MAXIMUM_ACCOUNTS',
    'call->account_count <= 100',
  ),
  order(
    'an order’s id does not cover its recipient',
    'words[11] = order->recipient;',
    'words[11] = ZERO_KEY;',
  ),
  order(
    'an order’s id does not cover the program',
    'words[3] = *program;',
    'words[3] = ZERO_KEY; (void)program;',
  ),
  order(
    'an order’s id does not cover the depositor',
    'words[4] = *depositor;',
    'words[4] = *mint; (void)depositor;',
  ),
  order('an order’s id does not cover its refund time', 'order->refund_after);', 'order->fill_deadline);'),
  order(
    'accounts of other programs are orders',
    'is_same(account->owner, call->program) && ',
    '(void *)call && ',
  ),
  order('accounts of other sizes are orders', ' && account->data_length == sizeof(Order)'),
  order('blank accounts are orders', 'REQUIRE((*order)->status != NONE, WRONG_ORDER);'),
  tokens('extensions that change amounts are harmless', 'extension >= 18', 'extension >= 1'),
  tokens('unknown extensions are harmless', ' && extension <= 23'),
  tokens('spare bytes behind the extensions are extensions', 'if (extension == 0) return OK;'),
  tokens('members of groups are refused', 'extension <= 23', 'extension < 23'),
  tokens(
    'only the first extension is read',
    'position += EXTENSION_HEAD + *(const u16 *)(mint->data + position + 2);',
    'return OK;',
  ),
  tokens('mints of other programs are accepted', 'is_same(tokens->mint->owner, program) && '),
  tokens('mints that are too short are accepted', ' && tokens->mint->data_length >= MINT_BYTES'),
  tokens(
    'any program is a token program',
    'REQUIRE(is_same(program, &TOKEN_PROGRAM) || is_same(program, &TOKEN_2022_PROGRAM), WRONG_PROGRAM);',
  ),
  tokens('any account is a vault', 'REQUIRE(is_same(tokens->vault->key, &address), WRONG_VAULT);'),
  tokens(
    'the vault pays the amount alone',
    '{TRANSFER_CHECKED, amount_in(tokens->vault),',
    '{TRANSFER_CHECKED, order->amount,',
  ),
  opening(
    'orders open without signatures',
    'REQUIRE(depositor->is_signer && payer->is_signer, MISSING_SIGNATURE);',
    '(void)payer;',
  ),
  opening('orders open after their deadline', 'REQUIRE(now <= data->open_deadline, OPEN_DEADLINE_PASSED);'),
  opening(
    'orders open until before their deadline',
    'now <= data->open_deadline',
    'now < data->open_deadline',
  ),
  opening(
    'refunds fall due at the fill deadline',
    'data->fill_deadline < data->refund_after',
    'data->fill_deadline <= data->refund_after',
  ),
  opening('fills may end before the opening does', 'data->open_deadline <= data->fill_deadline && '),
  opening(
    'deposits are trapped for longer than a month',
    'data->refund_after <= now + MAXIMUM_ESCROW_SECONDS',
    'true',
  ),
  opening('orders of nothing open', 'REQUIRE(data->input_amount != 0, ZERO_AMOUNT);'),
  opening('orders without a solver open', '!is_same(&data->solver, &ZERO_KEY) && '),
  opening('orders without an attester open', ' && !is_same(&attester, &ZERO_KEY)', ' && (void *)&attester'),
  opening('orders open at any address', 'REQUIRE(is_same(account->key, &address), WRONG_ORDER);'),
  opening('orders open twice', 'REQUIRE(is_same(account->owner, &SYSTEM_PROGRAM), ORDER_EXISTS);'),
  opening(
    'SOL orders keep less than their amount',
    'TRY(transfer_lamports(call, payer, account, rent));',
    'TRY(transfer_lamports(call, payer, account, rent - 1));',
  ),
  opening(
    'any program is the system program',
    'REQUIRE(is_same(call->accounts[3].key, &SYSTEM_PROGRAM), WRONG_PROGRAM);',
  ),
  opening(
    'rent of any form is taken for the newer one',
    'REQUIRE(rent.threshold_bits == ONE_BITS || rent.threshold_bits == TWO_BITS, UNSUPPORTED_RENT);',
  ),
  opening('rent is always that of the newer form', 'rent.threshold_bits == TWO_BITS ? 2 : 1', '1'),
  opening(
    'deposits of less than the amount are accepted',
    'REQUIRE(amount_in(tokens.vault) - before == amount, WRONG_DEPOSIT);',
    '(void)before;',
  ),
  opening(
    'any program opens vaults',
    'REQUIRE(is_same(accounts[8].key, &ASSOCIATED_TOKEN_PROGRAM), WRONG_PROGRAM);',
  ),
  opening('tokens with any extension are deposited', 'TRY(check_extensions(tokens.mint));'),
  payout(
    'the vault pays itself',
    'REQUIRE(!is_same(tokens->other->key, tokens->vault->key), WRONG_DESTINATION);',
  ),
  payout('payees are paid at any account that is theirs', 'is_same(tokens->other->key, &address) && '),
  payout(
    'payees are paid at accounts they gave away',
    ' &&\n              is_same((const Key *)(tokens->other->data + ACCOUNT_OWNER), payee->key)',
  ),
  payout('payees cannot choose an account', 'if (payee->is_signer) return OK;'),
  payout(
    'orders pay in any token',
    'REQUIRE(is_same(tokens->mint->key, &order->mint), WRONG_MINT);',
    '(void)order;',
  ),
  release('anybody is the attester', 'REQUIRE(is_same(&signer, &attester), NOT_ATTESTED);'),
  release(
    'an attestation covers no transaction',
    '{FILL_TYPE, order->id, order->solver, data->transaction}',
    '{FILL_TYPE, order->id, order->solver, order->id}',
  ),
  release(
    'an attestation covers no order',
    '{FILL_TYPE, order->id, order->solver, data->transaction}',
    '{FILL_TYPE, data->transaction, order->solver, data->transaction}',
  ),
  release(
    'an attestation covers no payee',
    '{FILL_TYPE, order->id, order->solver, data->transaction}',
    '{FILL_TYPE, order->id, order->depositor, data->transaction}',
  ),
  release('orders are released twice', 'REQUIRE(order->status == OPEN, ORDER_NOT_OPEN);'),
  release('a release does not end an order', 'order->status = RELEASED;'),
  release('anybody is paid a release', 'REQUIRE(is_same(solver->key, &order->solver), WRONG_PARTY);'),
  refund('orders are refunded twice', 'REQUIRE(order->status == OPEN, ORDER_NOT_OPEN);'),
  refund('a refund does not end an order', 'order->status = REFUNDED;'),
  refund('anybody is refunded', 'REQUIRE(is_same(depositor->key, &order->depositor), WRONG_PARTY);'),
  refund('anybody declines', 'REQUIRE(is_same(solver->key, &order->solver), WRONG_PARTY);'),
  refund('solvers decline without a signature', 'if (solver->is_signer) return OK;', 'return OK;'),
  refund('refunds fall due a second early', 'now > order->refund_after', 'now >= order->refund_after'),
  refund('callers pay for accounts of depositors', 'spent = before - *caller->lamports;', '(void)before;'),
  refund(
    'callers are paid twice what they spent',
    '*caller->lamports += spent;',
    '*caller->lamports += spent + spent;',
  ),
  refund(
    'any program opens accounts',
    'REQUIRE(is_same(accounts[8].key, &ASSOCIATED_TOKEN_PROGRAM), WRONG_PROGRAM);',
  ),
  closing('open orders are closed', 'order->status != OPEN && '),
  closing('orders are closed while they can be opened', ' && now > order->open_deadline'),
  closing('orders are closed at their deadline', 'now > order->open_deadline', 'now >= order->open_deadline'),
  closing('anybody gets the rent', 'REQUIRE(is_same(payer->key, &order->payer), WRONG_PARTY);'),
  closing('closed orders keep their data', '*(u64 *)(account->data - 8) = 0;'),
  closing('closed orders keep their owner', '*account->owner = SYSTEM_PROGRAM;'),
]
