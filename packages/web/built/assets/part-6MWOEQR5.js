var i=(e,n)=>{let t=e.toString().padStart(n+1,"0"),r=t.slice(0,t.length-n),o=t.slice(t.length-n).replace(/0+$/,"");return o===""?r:`${r}.${o}`};export{i as a};
