// Does with web3.js and spl-token what programs for Solana do, through the node whose URL is the only word, and writes what came
// of it as JSON. Confirmations come by PubSub from the next port, as web3.js derives it.
import {
  closeAccount,
  createMint,
  createWrappedNativeAccount,
  getAccount,
  getMint,
  getOrCreateAssociatedTokenAccount,
  mintTo,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
  transferChecked,
} from '@solana/spl-token'
import {
  Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  SystemProgram,
  sendAndConfirmTransaction,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'

const [url] = process.argv.slice(2)
const connection = new Connection(url, 'confirmed')
const [payer, friend] = [Keypair.generate(), Keypair.generate()]

const airdrop = async () => {
  const signature = await connection.requestAirdrop(payer.publicKey, 5 * LAMPORTS_PER_SOL)
  const latest = await connection.getLatestBlockhash()
  await connection.confirmTransaction({ signature, ...latest })
  return connection.getBalance(payer.publicKey)
}

const pay = SystemProgram.transfer({
  fromPubkey: payer.publicKey,
  toPubkey: friend.publicKey,
  lamports: LAMPORTS_PER_SOL,
})

/** SOL in a transaction of either version. */
const paySol = async () => {
  await sendAndConfirmTransaction(connection, new Transaction().add(pay), [payer])
  const latest = await connection.getLatestBlockhash()
  const message = new TransactionMessage({
    payerKey: payer.publicKey,
    recentBlockhash: latest.blockhash,
    instructions: [pay],
  }).compileToV0Message()
  const transaction = new VersionedTransaction(message)
  transaction.sign([payer])
  const signature = await connection.sendTransaction(transaction)
  await connection.confirmTransaction({ signature, ...latest })
  const read = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
  return {
    received: await connection.getBalance(friend.publicKey),
    version: read.version,
    error: read.meta.err,
  }
}

/** A token of a program, minted and paid on. */
const payToken = async (program) => {
  const confirmed = { commitment: 'confirmed' }
  const mint = await createMint(connection, payer, payer.publicKey, null, 6, undefined, confirmed, program)
  const accountOf = (owner) =>
    getOrCreateAssociatedTokenAccount(
      connection,
      payer,
      mint,
      owner.publicKey,
      false,
      'confirmed',
      confirmed,
      program,
    )
  const [from, to] = [await accountOf(payer), await accountOf(friend)]
  await mintTo(connection, payer, mint, from.address, payer, 1_000_000, [], confirmed, program)
  await transferChecked(
    connection,
    payer,
    from.address,
    mint,
    to.address,
    payer,
    250_000,
    6,
    [],
    confirmed,
    program,
  )
  const amountOf = async ({ address }) =>
    String((await getAccount(connection, address, 'confirmed', program)).amount)
  const { supply } = await getMint(connection, mint, 'confirmed', program)
  return [String(supply), await amountOf(from), await amountOf(to)]
}

/** SOL as a token, and back. */
const wrap = async () => {
  const account = await createWrappedNativeAccount(connection, payer, payer.publicKey, LAMPORTS_PER_SOL)
  const { amount, isNative } = await getAccount(connection, account)
  await closeAccount(connection, payer, account, payer.publicKey, payer)
  return { amount: String(amount), isNative, closed: (await connection.getAccountInfo(account)) === null }
}

const paid = (lamports) =>
  SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: friend.publicKey, lamports })

/**
 * A payment that its owner approves late, and one with the blockhash that the connection keeps for half a minute. Whoever
 * started this process plays the wait on the node's clock.
 */
const approveLate = async () => {
  const before = await connection.getBalance(friend.publicKey)
  await sendAndConfirmTransaction(connection, new Transaction().add(paid(1)), [payer])
  const latest = await connection.getLatestBlockhash()
  const approved = new Transaction({ feePayer: payer.publicKey, ...latest }).add(paid(2))
  const waited = new Promise((resolve) => process.once('message', resolve))
  process.send('approving')
  await waited
  approved.sign(payer)
  const signature = await connection.sendRawTransaction(approved.serialize())
  await connection.confirmTransaction({ signature, ...latest })
  await sendAndConfirmTransaction(connection, new Transaction().add(paid(4)), [payer])
  return (await connection.getBalance(friend.publicKey)) - before
}

const done = {
  airdrop: await airdrop(),
  sol: await paySol(),
  token: await payToken(TOKEN_PROGRAM_ID),
  token2022: await payToken(TOKEN_2022_PROGRAM_ID),
  wrapped: await wrap(),
  approvedLate: await approveLate(),
}
process.stdout.write(JSON.stringify(done))
// The connection keeps its socket.
process.exit(0)
