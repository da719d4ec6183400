import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { webhookSignature } from './sign.ts'

const bytesOf = (secret: string): Buffer => Buffer.from(secret.slice('whsec_'.length), 'base64')

/** Recorded from the library `standardwebhooks` 1.1.1; the first is the example of its own tests. */
const RECORDED = [
  {
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestampSeconds: 1_614_265_330,
    body: '{"test": 2432232314}',
    signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
  {
    secret: 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
    id: 'msg_1',
    timestampSeconds: 1_795_422_000,
    body: '{"text":"ü 漢 \\u0000"}',
    signature: 'v1,HQes9na6Mo0mPa++fSmHtPeuIcJNt//QL33MVOH42XA=',
  },
] as const

test('signs as the recorded vectors do', () => {
  for (const { secret, signature, ...signed } of RECORDED)
    assert.equal(webhookSignature([bytesOf(secret)], signed), signature)
})

test('a receiver with either secret of a rotation verifies a notification, one with a third does not', () => {
  const secrets = [1, 2].map(() => `whsec_${randomBytes(32).toString('base64')}`)
  const signed = { id: 'msg_2', timestampSeconds: Math.floor(Date.now() / 1000), body: '{"a":"ü"}' }
  const headers = {
    'webhook-id': signed.id,
    'webhook-timestamp': String(signed.timestampSeconds),
    'webhook-signature': webhookSignature(secrets.map(bytesOf), signed),
  }
  for (const secret of secrets) assert.deepEqual(new Webhook(secret).verify(signed.body, headers), { a: 'ü' })
  const third = new Webhook(`whsec_${randomBytes(32).toString('base64')}`)
  assert.throws(() => third.verify(signed.body, headers))
  for (const secret of secrets) {
    assert.throws(() => new Webhook(secret).verify('{"a":"u"}', headers))
    assert.throws(() => new Webhook(secret).verify(signed.body, { ...headers, 'webhook-id': 'msg_3' }))
  }
})
