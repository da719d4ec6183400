import assert from 'node:assert/strict'
import { test } from 'node:test'
import { transferScenes } from 'openrfq/test/transfer-scenes.ts'
import { refundText } from './refund-text.ts'

const SCENES = transferScenes(1_800_000_000_000)
const AUTOMATIC = SCENES['pending']?.quote.refund ?? assert.fail()
const NOWHERE = { address: null, chain: null, token: null, cost: null, expectedSeconds: null } as const
const RETRIED = { automatic: false, ...NOWHERE, terms: 'It stays retryable.' } as const

test('a page never says that there is nothing to do beside a button', () => {
  for (const { status } of Object.values(SCENES))
    for (const terms of [AUTOMATIC, RETRIED])
      for (const leadsTo of ['DONE', 'REFUNDED'] as const)
        assert.doesNotMatch(refundText(status, terms, [{ leadsTo }]), /need to do nothing/)
})

test('a refund that anybody can sign now is said to be one, and others come by themselves', () => {
  const textOf = (scene: string, ...leadsTo: readonly ('DONE' | 'REFUNDED')[]): string => {
    const { status } = SCENES[scene] ?? assert.fail(scene)
    return refundText(
      status,
      AUTOMATIC,
      leadsTo.map((outcome) => ({ leadsTo: outcome })),
    )
  }
  assert.match(textOf('refund_due'), /by itself\. You need to do nothing\.$/)
  assert.match(
    textOf('refund_due', 'REFUNDED'),
    /^The service refunds you by itself\. .* the money is paid once\.$/,
  )
  assert.match(textOf('late'), /within about .* You need to do nothing\.$/)
  assert.match(textOf('late', 'DONE'), /within about .* of the payment\.$/)
})

test('a service that submits no refunds on a chain never says that the money comes back by itself', () => {
  const alone = { ...AUTOMATIC, keeper: false }
  for (const [name, { status }] of Object.entries(SCENES))
    for (const recoveries of [[], [{ leadsTo: 'REFUNDED' }]] as const) {
      const text = refundText(status, alone, recoveries)
      if (status.state === 'REFUND_INITIATED' && recoveries.length === 0) continue
      assert.doesNotMatch(text, /by itself|need to do nothing/, name)
      assert.match(text, /submits no refunds on that chain.* “What you can do”/, name)
    }
})
