import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.WEBHOOK_SECRET)
const known = new Map() // in your application: a table of your database

createServer(async (request, response) => {
  const body = await text(request)
  try {
    webhook.verify(body, request.headers) // the bytes as they came, not parsed and written again
  } catch {
    return response.writeHead(400).end()
  }
  const { type, data } = JSON.parse(body)
  if (type !== 'transfer.changed') return response.writeHead(204).end() // a test message, or a kind of a later version
  const { revision, messageId, quote, status } = data
  const transfer = `${quote.quoteId} ${messageId}`
  if (revision > (known.get(transfer) ?? 0)) {
    known.set(transfer, revision) // together with what it changes, before the answer
    console.log(quote.quoteId, revision, status.state)
  }
  response.writeHead(204).end()
}).listen(Number(process.env.WEBHOOK_PORT ?? 9000), '127.0.0.1')
