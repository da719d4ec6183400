import{a,b,c,d,e}from"./part-72OGSC2E.js";import"./part-AWLUPJ6F.js";import"./part-AYHZPDM5.js";export{e as encodeToCurve,d as hashToCurve,b as schnorr,a as secp256k1,c as secp256k1_hasher};
