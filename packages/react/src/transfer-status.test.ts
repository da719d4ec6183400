import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient } from '@openrfq/sdk'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { TransferStatus } from './transfer-status.ts'

test('says that the transfer is loading, in a live region, before the service has answered', () => {
  const client = createClient({ baseUrl: 'http://127.0.0.1:1' })
  const html = renderToString(
    createElement(TransferStatus, { client, quoteId: 'quote_<b>', className: 'transfer' }),
  )
  assert.equal(
    html,
    '<div class="transfer" data-state="LOADING"><p role="status">Loading the transfer…</p></div>',
  )
})
