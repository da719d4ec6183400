import{Ia as a}from"./part-J334YWBJ.js";import"./part-BQJZXEOS.js";import"./part-JLMJS6XB.js";import"./part-AYHZPDM5.js";export{a as Client};
