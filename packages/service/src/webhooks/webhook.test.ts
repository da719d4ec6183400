import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WebhooksByName } from './webhook.ts'

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const URL_OF_SHOP = 'https://shop.example/rfq?tenant=1'

const problemsOf = (webhooks: unknown): readonly string[] => {
  const { error } = WebhooksByName.safeParse(webhooks)
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`)
}
const problemsWith = (changes: object): string =>
  problemsOf({ shop: { url: URL_OF_SHOP, secrets: [SECRET], ...changes } }).join('; ')

test('reads a webhook with its secrets as bytes, without private addresses unless they are allowed', () => {
  const { shop } = WebhooksByName.parse({ shop: { url: URL_OF_SHOP, secrets: [SECRET, SECRET] } })
  assert.equal(shop?.url.href, URL_OF_SHOP)
  assert.deepEqual(shop?.secrets, [Buffer.alloc(32, 7), Buffer.alloc(32, 7)])
  assert.equal(shop?.privateAddresses, false)
})

test('refuses a URL that leads into this machine or a private network, unless the operator allows it', () => {
  for (const url of [
    'https://localhost/',
    'https://a.localhost/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://169.254.169.254/latest/meta-data',
    'https://192.168.0.1/',
    'https://[fd00::1]/',
  ]) {
    assert.match(problemsWith({ url }), /shop\.url: expected a host on the public internet/, url)
    assert.equal(problemsWith({ url, privateAddresses: true }), '', url)
  }
})

test('refuses other protocols, and plain http outside private networks', () => {
  for (const url of ['ftp://shop.example/', 'file:///etc/passwd', 'shop.example', '', 'https://'])
    assert.match(
      problemsWith({ url, privateAddresses: true }),
      /shop\.url: expected a URL that begins with/,
      url,
    )
  assert.match(problemsWith({ url: 'http://shop.example/' }), /shop\.url: expected https:\/\//)
  assert.equal(problemsWith({ url: 'http://shop.example/', privateAddresses: true }), '')
})

test('refuses a user, a password and a fragment in a URL', () => {
  for (const url of ['https://user@shop.example/', 'https://:word@shop.example/', 'https://shop.example/#a'])
    assert.match(problemsWith({ url }), /shop\.url: expected a URL without user/, url)
})

test('refuses weak and malformed secrets, and repeats none', () => {
  const bytes = (count: number): string => `whsec_${Buffer.alloc(count, 255).toString('base64')}`
  for (const secret of ['SECRET', 'whsec_', 'whsec_SECRET', 'whsec_a.SECRET', bytes(23), bytes(65)]) {
    const told = problemsWith({ secrets: [secret] })
    assert.match(told, /shop\.secrets\.0: expected whsec_ and base64/)
    assert.doesNotMatch(told, /SECRET|\/\/\/\//)
  }
  for (const secrets of [[], [SECRET, SECRET, SECRET]])
    assert.match(problemsWith({ secrets }), /shop\.secrets: expected/)
})

test('refuses unknown settings, odd names and more than sixteen webhooks', () => {
  assert.notEqual(problemsWith({ secret: SECRET }), '')
  const webhook = { url: URL_OF_SHOP, secrets: [SECRET] }
  for (const name of ['', 'Shop', 'a b', 'a'.repeat(33)])
    assert.notDeepEqual(problemsOf({ [name]: webhook }), [])
  const named = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`w-${index}`, webhook]))
  assert.deepEqual(problemsOf(named(16)), [])
  assert.deepEqual(problemsOf(named(17)), [': expected at most 16 webhooks'])
})
