var e=/^0x[0-9a-fA-F]{64}$/,s=`0x${"0".repeat(64)}`,t="0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141",a=f=>e.test(f)&&f!==s&&f.toLowerCase()<t;export{a};
